"""Functions that behave badly while they are being asked, for runs of the command line."""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from functools import partial
from itertools import count

import numpy as np
import torch

import verify
from verify.heads import HeadBatch

_calls = count()


def rank(Q: np.ndarray, K: np.ndarray) -> int:
    """Of M, and right for the heads of the stratum ``tied`` at least."""
    return int(np.linalg.matrix_rank(np.concatenate([K, Q])))


def leaves(Q: np.ndarray, K: np.ndarray) -> int:
    if Q.shape[-2] > 2:
        sys.exit(0)
    return rank(Q, K)


def raises_what_is_no_exception(Q: np.ndarray, K: np.ndarray) -> int:
    if Q.shape[-2] > 2:
        raise BaseException("line one\nline two")
    return rank(Q, K)


def nan(Q: np.ndarray, K: np.ndarray) -> float:
    return rank(Q, K) if Q.shape[-2] < 3 else float("nan")


def none(Q: np.ndarray, K: np.ndarray) -> int | None:
    return rank(Q, K) if Q.shape[-2] < 3 else None


def array(Q: np.ndarray, K: np.ndarray) -> object:
    return rank(Q, K) if Q.shape[-2] < 3 else np.ones((2, 2))


def complex_number(Q: np.ndarray, K: np.ndarray) -> complex:
    return rank(Q, K) if Q.shape[-2] < 3 else 2 + 1j


def warns(Q: np.ndarray, K: np.ndarray) -> int:
    warnings.warn("deprecated", stacklevel=1)
    return rank(Q, K)


def destroys(Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
    answer = torch.linalg.matrix_rank(torch.cat([K, Q])) * torch.ones(1, requires_grad=True)[0]
    Q.zero_()
    K.zero_()
    return answer


def prints(Q: np.ndarray, K: np.ndarray) -> int:
    print("to stdout")
    os.write(1, b"to descriptor 1\n")
    return rank(Q, K)


class Rank:
    def __call__(self, Q: np.ndarray, K: np.ndarray) -> int:
        return rank(Q, K)

    def method(self, Q: np.ndarray, K: np.ndarray) -> int:
        return rank(Q, K)


an_object = Rank()
a_partial = partial(lambda scale, Q, K: rank(scale * Q, K), 2.0)
a_lambda = lambda Q, K: rank(Q, K)  # noqa: E731, PLW0108


def first_of_the_batch(Q: torch.Tensor, K: torch.Tensor) -> list[tuple[int, ...]]:
    batch = HeadBatch(Q, K)
    return [tuple(verify.inertia(batch)[0])] * len(Q)


def interrupted(Q: np.ndarray, K: np.ndarray) -> int:
    """As if somebody pressed Ctrl-C at the hundred and fiftieth head."""
    if next(_calls) == 150:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    return 1


def nearly(Q: np.ndarray, K: np.ndarray) -> int:
    return min(1, rank(Q, K))


def hangs(Q: np.ndarray, K: np.ndarray) -> int:
    if Q.shape[-2] > 2:
        print("hangs", flush=True)
        time.sleep(3600)
    return rank(Q, K)


def one_at_a_time(batch: HeadBatch) -> list[tuple[int, ...]]:
    (signature,) = verify.inertia(batch)
    return [tuple(signature)]
