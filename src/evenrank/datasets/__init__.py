"""Datasets in their publishers' own layouts, one a file."""
