"""Features of images and texts, one extractor a file."""
