"""Heads on numbers: batches, proofs, profiles, checkpoints and the audit.

>>> import torch, verify
>>> batch = verify.HeadBatch(torch.eye(2, 6).unsqueeze(0), torch.eye(2, 6).roll(2, 1).unsqueeze(0))
>>> verify.prove(batch)[0].verdict, verify.inertia(batch)[0], verify.witt_index(batch)
('proved', Signature(positive=2, negative=2, zero=2), [2])
"""

from verify.auditing import Audit, audit
from verify.errors import HeadformsError
from verify.heads import HeadBatch, HeadId
from verify.verdicts import HeadVerdict, assess, inertia, profile, prove, witt_index

__all__ = [
    "Audit",
    "HeadBatch",
    "HeadId",
    "HeadVerdict",
    "HeadformsError",
    "assess",
    "audit",
    "inertia",
    "profile",
    "prove",
    "witt_index",
]
