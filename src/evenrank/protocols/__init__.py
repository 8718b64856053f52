"""Settings as the papers define them, one a file."""
