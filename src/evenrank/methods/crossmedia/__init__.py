"""Methods that bring images and texts into one space, one file each."""
