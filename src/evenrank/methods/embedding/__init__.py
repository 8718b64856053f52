"""Methods that learn embeddings to be compared by cosine, one a file."""
