"""Heads on numbers: batches, proofs, profiles, checkpoints and the audit.

Names are imported when they are first used: ``import verify``, the command line's help and the Hypothesis hook stay
free of torch.

>>> import torch, verify
>>> batch = verify.HeadBatch(torch.eye(2, 6).unsqueeze(0), torch.eye(2, 6).roll(2, 1).unsqueeze(0))
>>> verify.prove(batch)[0].verdict, verify.inertia(batch)[0], verify.witt_index(batch)
('proved', Signature(positive=2, negative=2, zero=2), [2])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.auditing import Audit, audit
    from verify.ensembles import ENSEMBLES
    from verify.errors import HeadformsError
    from verify.heads import HeadBatch, HeadId
    from verify.sampling import measure_sample
    from verify.verdicts import HeadVerdict, assess, inertia, profile, prove, witt_index

#: Public name → the module it lives in.
_HOMES = {
    "ENSEMBLES": "verify.ensembles",
    "Audit": "verify.auditing",
    "HeadBatch": "verify.heads",
    "HeadId": "verify.heads",
    "HeadVerdict": "verify.verdicts",
    "HeadformsError": "verify.errors",
    "assess": "verify.verdicts",
    "audit": "verify.auditing",
    "inertia": "verify.verdicts",
    "measure_sample": "verify.sampling",
    "profile": "verify.verdicts",
    "prove": "verify.verdicts",
    "witt_index": "verify.verdicts",
}

__all__ = [
    "ENSEMBLES",
    "Audit",
    "HeadBatch",
    "HeadId",
    "HeadVerdict",
    "HeadformsError",
    "assess",
    "audit",
    "inertia",
    "measure_sample",
    "profile",
    "prove",
    "witt_index",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'verify' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
