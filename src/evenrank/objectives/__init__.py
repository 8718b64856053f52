"""What training minimises, one a file."""
