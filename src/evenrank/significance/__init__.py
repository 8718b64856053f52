"""Is B better than A? Paired tests and intervals over queries and runs, and an answer in words.

    found = compare({"A": values_a, "B": values_b})  # each (runs, queries)
    found.pairs[0].answer

One file an idea: the permutation test, the two-way bootstrap, Holm's correction, letters, ranks.
"""

from evenrank.significance.comparison import Comparison as Comparison
from evenrank.significance.comparison import compare as compare
from evenrank.significance.difference import Difference as Difference
