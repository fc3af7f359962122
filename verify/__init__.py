"""Heads on numbers: batches, proofs, profiles, checkpoints and the audit."""
