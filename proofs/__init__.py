"""Exact mathematics of attention heads: no floats, no tensors, no files."""
