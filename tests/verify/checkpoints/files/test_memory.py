import pytest
import torch

from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.memory import MemoryFile
from verify.errors import SourceError


def test_a_module_and_its_state_are_read_alike() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Linear(6, 2))
    live, state = MemoryFile(module), MemoryFile({"model": module.state_dict(), "step": 3})
    assert torch.equal(live.read("0.weight", Part(((1, 3),))), module[0].weight[1:3])
    assert torch.equal(state.read("model.1.bias"), module[1].bias)
    assert not live.read("0.weight").requires_grad
    assert live.identity() == MemoryFile(module.state_dict()).identity()
    assert live.metadata == {}
    assert live.name == "<Sequential in memory>"


def test_nothing_to_read() -> None:
    with pytest.raises(SourceError, match="holds no tensor; pass a model or its state dict"):
        MemoryFile({"step": 3})


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (torch.zeros(2, 3, device="meta"), "is meta, without numbers that can be read"),
        (torch.eye(3).to_sparse(), "is sparse"),
        (torch.zeros(1).expand(1 << 20, 1 << 20), f"repeats few numbers to make {1 << 40}; pass a copy of it instead"),
        (torch.nn.UninitializedParameter(), "is a UninitializedParameter"),
        (None, "is quantised"),
    ],
)
def test_tensors_without_plain_numbers_are_listed_and_not_read(value: torch.Tensor | None, words: str) -> None:
    if value is None:
        value = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)
    file = MemoryFile({"evil\nname": value, "other": torch.ones(1)})
    assert len(file.tensors) == 2
    with pytest.raises(SourceError, match=rf"<dict in memory>: tensor 'evil\\nname' {words}"):
        file.read("evil\nname")


def test_two_tensors_of_one_name() -> None:
    with pytest.raises(SourceError, match="<dict in memory>: two tensors are named a.b once their names are joined"):
        MemoryFile({"a.b": torch.zeros(1), "a": {"b": torch.zeros(1)}})
