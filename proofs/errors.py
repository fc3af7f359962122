"""The one public error class and its precise subclasses.

Every error a user can cause derives from :class:`HeadformsError`; its message says what was found, what was
expected and what to do. The class lives in ``proofs`` because ``verify`` imports ``proofs`` and never the reverse.
"""


class HeadformsError(Exception):
    """Anything headforms refuses, with a message meant for the user."""


class ShapeError(HeadformsError, ValueError):
    """Matrices whose shapes do not fit together."""


class FieldError(HeadformsError, ValueError):
    """A ground field that is not admitted (characteristic 2, composite modulus) or an entry that is not in it."""


class HypothesisError(HeadformsError, ValueError):
    """A theorem was asked of a head that does not satisfy its hypotheses."""


class FactorisationError(HeadformsError, ValueError):
    """A question over ℚ that hangs on the prime factors of a number too large to factor."""


class InconsistencyError(HeadformsError, AssertionError):
    """Two independent routes disagree, or a witness failed its re-check: a defect of headforms, never of the input."""
