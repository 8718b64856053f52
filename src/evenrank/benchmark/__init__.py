"""A fair comparison, from a plan to a table: every method with the same data, budget and seeds, and a sealed test set.

    Plan ── jobs ──> Runner ── one process a job ──> Store ── final jobs ──> table

A plan says what is compared. It expands to jobs, each of which is one fit and its numbers; a job's result depends on
the plan and on the jobs before it alone, never on when, where or in which order jobs run. The store keeps every result
whole, so that a runner can be killed at any moment: whoever comes next does what is missing.
"""
