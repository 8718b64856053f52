"""From representations and relevance to tallies."""

from evenrank.counting.blocks import Items, Ties, as_shards, own_rows, tallies, tally

__all__ = ["Items", "Ties", "as_shards", "own_rows", "tallies", "tally"]
