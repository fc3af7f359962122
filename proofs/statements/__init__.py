"""Every numbered result of the paper, and ours, as executable statements: one module each.

To add a statement, write a module with a constant ``STATEMENT`` and add its name to
:data:`proofs.statements.registry.MODULES`; then say how much of it is machine-checked in ``proofs/rocq/theorems.toml``,
and give each of its checks a slip that it notices in ``tests/proofs/statements/test_every_check_can_fail.py``.
"""

from proofs.statements.registry import (
    NOTATION,
    Check,
    Hypothesis,
    Kind,
    Result,
    Statement,
    all_statements,
    check,
    describe,
    statement,
)

__all__ = [
    "NOTATION",
    "Check",
    "Hypothesis",
    "Kind",
    "Result",
    "Statement",
    "all_statements",
    "check",
    "describe",
    "statement",
]
