"""`python -m evenrank.cli` is `evenrank`."""

from evenrank.cli import main

main()
