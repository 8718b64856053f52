"""Files as their publishers ship them, read as data only: nothing in a file is run, and nothing outside is touched."""
