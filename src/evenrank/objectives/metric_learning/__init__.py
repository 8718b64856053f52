"""The losses and the miner that paper 5 compares, on normalised embeddings: one file each."""
