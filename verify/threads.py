"""BLAS threads, set on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def single_threaded() -> Iterator[int]:
    """Linear algebra on one thread inside the block; gives the number of threads the caller had.

    A pool of that many workers, each calling single-threaded LAPACK, replaces threads inside the calls, which cost
    more than they give on matrices of a few hundred rows.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield threads
    finally:
        torch.set_num_threads(threads)
