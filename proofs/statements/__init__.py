"""Every numbered result of the paper, and ours, as executable statements: one module each.

To add a statement, write a module with a constant ``STATEMENT`` and add its name to
:data:`proofs.statements.registry.MODULES`.
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
    statement,
)

__all__ = ["NOTATION", "Check", "Hypothesis", "Kind", "Result", "Statement", "all_statements", "check", "statement"]
