"""Methods that learn codes or embeddings, one a file, by kind."""
