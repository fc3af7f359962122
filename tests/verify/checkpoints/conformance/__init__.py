"""Every layout against the model library's own attention scores."""
