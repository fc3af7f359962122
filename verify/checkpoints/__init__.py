"""From a source to batches of heads: files, layouts, and nothing else."""
