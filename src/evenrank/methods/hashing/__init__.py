"""Methods that learn binary codes, one a file."""
