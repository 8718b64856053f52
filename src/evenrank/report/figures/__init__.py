"""One file a figure; `evenrank.report.drawing` says what is in it, and finds them."""
