"""Threads are set for a while and given back."""

import pytest
import torch

from verify.threads import single_threaded


def test_threads_are_restored_even_after_an_error() -> None:
    before = torch.get_num_threads()
    with pytest.raises(RuntimeError), single_threaded() as threads:
        assert threads == before
        assert torch.get_num_threads() == 1
        raise RuntimeError
    assert torch.get_num_threads() == before
