"""The report of a comparison: a store in, one offline page and tables out.

    Store ── contents ──> Contents ──> page, exports, figures

Everything that is shown is read from a store, in `contents.py` and nowhere else; what a run still held in memory when
it ended is not known here.
"""
