"""Searches that several tests look at, run once."""

from functools import lru_cache

from proofs.statements import statement
from verify.fuzzing import StatementReport, fuzz_statement


@lru_cache
def searched(name: str, drop: str, seed: int) -> StatementReport:
    """The search for a counterexample to a statement without a hypothesis."""
    return fuzz_statement(statement(name), drop=drop, seed=seed)
