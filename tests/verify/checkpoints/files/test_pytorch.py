import os
import pickle
import struct
import time
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from verify.checkpoints.bytes import HeldBytes, LocalBytes
from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.pytorch import PytorchFile
from verify.errors import SourceError

BOTH = pytest.mark.parametrize("modern", [True, False], ids=["zip", "legacy"])
DTYPES = [
    torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.int64,
    torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16, torch.bool, torch.complex64,
]  # fmt: skip


def opened(path: Path) -> PytorchFile:
    return PytorchFile(LocalBytes(path))


def saved(path: Path, state: Any, *, modern: bool = True, **options: Any) -> PytorchFile:
    torch.save(state, path, _use_new_zipfile_serialization=modern, **options)
    return opened(path)


def same(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    plain = theirs.contiguous()
    return (
        ours.dtype is theirs.dtype
        and ours.shape == theirs.shape
        and torch.equal(ours.reshape(-1).view(torch.uint8), plain.reshape(-1).view(torch.uint8))
    )


@BOTH
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_as_pytorch_reads_it(tmp_path: Path, dtype: torch.dtype, modern: bool) -> None:
    data = torch.randint(0, 255, (6, 4 * dtype.itemsize), dtype=torch.uint8)
    value = (data % 2 if dtype is torch.bool else data).view(dtype)
    state = {
        "whole": value,
        "parameter": torch.nn.Parameter(value.clone(), requires_grad=False),
        "rows": value[2:5],
        "columns": value[:, 1:3],
        "transposed": value.T,
        "every second": value[::2],
        "scalar": value[3, 2],
        "empty": value[:0],
        "again": value,
    }
    file = saved(tmp_path / "x.pt", state, modern=modern)
    # PyTorch itself cannot read what it writes of these in the older generation.
    unreadable = not modern and dtype in {torch.float8_e4m3fn, torch.float8_e5m2, torch.uint16}
    theirs = state if unreadable else torch.load(tmp_path / "x.pt", weights_only=True)
    assert list(file.tensors) == list(theirs)
    for name, value in theirs.items():
        assert file.tensors[name].stored == str(dtype).removeprefix("torch.")
        assert file.tensors[name].shape == value.shape
        assert same(file.read(name), value)
        if value.ndim == 2 and value.shape[0] > 2:
            assert same(file.read(name, Part(((0, 1), (2, 3)))), value[[0, 2]])
            assert same(file.read(name, Part(((1, 2),), axis=1)), value[:, 1:2])


@BOTH
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_nested_training_checkpoints_of_every_protocol(tmp_path: Path, modern: bool, protocol: int) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
    optimiser = torch.optim.Adam(model.parameters())
    model(torch.randn(5, 4)).sum().backward()
    optimiser.step()
    state = {
        "epoch": 3, "loss": 0.25, "big": 2**40, "none": None, "flags": {True, False}, "text": "τ" * 300, "raw": b"xyz",
        "model": model.state_dict(), "optimiser": optimiser.state_dict(), "size": torch.Size([2, 3]), "list": [1, (2,)],
        "device": torch.device("cpu"), "dtype": torch.float16, "complex": 1j,
    }  # fmt: skip
    file = saved(tmp_path / "x.pt", state, modern=modern, pickle_protocol=protocol)
    for name, value in model.state_dict().items():
        assert torch.equal(file.read(f"model.{name}"), value)
    for number, moments in optimiser.state_dict()["state"].items():
        assert torch.equal(file.read(f"optimiser.state.{number}.exp_avg"), moments["exp_avg"])


def test_a_read_is_a_copy_and_costs_no_other_bytes(tmp_path: Path) -> None:
    torch.save({"w": torch.zeros(4), "other": torch.ones(1 << 20)}, tmp_path / "x.pt")
    read: list[int] = []

    class Counted(LocalBytes):
        def read(self, spans: Any) -> bytearray:
            read.append(sum(span.size for span in spans))
            return super().read(spans)

    file = PytorchFile(Counted(tmp_path / "x.pt"))
    file.read("w").add_(1)
    file.read("w", Part(((0, 4),))).add_(1)
    assert torch.equal(file.read("w"), torch.zeros(4))
    assert sum(read) < 200_000


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
def test_tensors_without_plain_numbers_are_listed_and_not_read(tmp_path: Path) -> None:
    state = {
        "sparse": torch.eye(2).to_sparse(),
        "quantised": torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8),
        "meta": torch.zeros(2, 5, device="meta"),
        "conjugate": torch.ones(2, dtype=torch.complex64).conj(),
        "expanded": torch.zeros(1).expand(1 << 20, 1 << 20),
        "overlapping": torch.zeros(5).as_strided((3, 3), (1, 1)),
        "scattered": torch.zeros(10_000)[::1000],
        "position_ids": torch.arange(7).expand(1, -1),
    }
    file = saved(tmp_path / "x.pt", state)
    assert file.tensors["meta"].shape == (2, 5)
    assert file.tensors["quantised"].shape == (3,)
    for name, words in {
        "sparse": "tensor sparse is sparse, without numbers that can be read",
        "quantised": "is quantised",
        "meta": "is meta",
        "conjugate": "is lazy",
        "expanded": f"tensor expanded repeats 1 numbers to make {2**40}; save a copy of it instead",
        "overlapping": "repeats 5 numbers to make 9",
        "scattered": "is scattered over 9001 numbers",
    }.items():
        with pytest.raises(SourceError, match=f"x.pt: .*{words}"):
            file.read(name)
    assert torch.equal(file.read("position_ids"), torch.arange(7)[None])


class Bomb:
    def __reduce__(self) -> Any:
        return os.mkdir, ("bomb-went-off",)


class Evaluated:
    def __reduce__(self) -> Any:
        return eval, ("__import__('os').mkdir('bomb-went-off')",)


class Attributes:
    """An attack on readers that allow a name and then look inside it."""

    def __reduce__(self) -> Any:
        return torch.hub.load, ("x", "y")


@BOTH
@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("evil", [Bomb, Evaluated, Attributes], ids=lambda evil: evil.__name__)
def test_code_in_a_pickle_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, modern: bool, evil: Any, protocol: int
) -> None:
    monkeypatch.chdir(tmp_path)
    words = r"x.pt: a pickle that asks for more than tensors to be built, for \S+; headforms never runs code"
    with pytest.raises(SourceError, match=words):
        saved(Path("x.pt"), {"w": torch.zeros(1), "x": evil()}, modern=modern, pickle_protocol=protocol)
    Path("x.bin").write_bytes(pickle.dumps(evil(), protocol=protocol))
    with pytest.raises(SourceError, match=r"x.bin: a pickle that asks for more"):
        opened(Path("x.bin"))
    assert not Path("bomb-went-off").exists()


def test_a_whole_pickled_model_is_refused_by_the_name_of_its_class(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="for torch.nn.modules.linear.Linear; .* save its state dict alone"):
        saved(tmp_path / "x.pt", torch.nn.Linear(2, 2))


class Made:
    """Pickled as a tensor with any arguments."""

    def __init__(self, *arguments: Any, by: Any = torch._utils._rebuild_tensor_v2) -> None:
        self.made = by, arguments

    def __reduce__(self) -> Any:
        return self.made


def storage(numel: int) -> Any:
    return torch.arange(float(numel))._typed_storage()


@BOTH
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, (9,), (1,)), "reaches beyond the 32 bytes of its storage"),
        ((5, (4,), (1,)), "reaches beyond"),
        ((0, (2, 2), (1 << 40, 1)), "reaches beyond"),
        ((0, (1 << 61,), (1,)), "reaches beyond"),
        ((1 << 61, (1,), (1,)), "reaches beyond"),
    ],
)
def test_tensors_outside_their_storage(tmp_path: Path, arguments: Any, words: str, modern: bool) -> None:
    made = Made(storage(8), *arguments, False, OrderedDict())
    file = saved(tmp_path / "x.pt", {"w": made}, modern=modern)
    with pytest.raises(SourceError, match=rf"x.pt: tensor w {words}"):
        file.read("w")


@pytest.mark.parametrize(
    "arguments",
    [
        (0, (-1,), (1,)),
        (0, (2,), (-1,)),
        (-1, (2,), (1,)),
        (0, (2.0,), (1,)),
        (0, (True,), (1,)),
        (0, (1 << 62,), (1,)),
        (0, (2, 2), (1,)),
        (0, "22", (1,)),
        (0, (1,) * 65, (1,) * 65),
        (0, None, None),
        (),
    ],
)
def test_descriptions_of_no_tensor(tmp_path: Path, arguments: Any) -> None:
    for made in (Made(storage(8), *arguments, False, OrderedDict()), Made(7, *arguments, False, OrderedDict())):
        with pytest.raises(SourceError, match=r"x.pt: a pickle that holds no weights, or a damaged one"):
            saved(tmp_path / "x.pt", {"w": made})


def test_tensors_of_other_classes_are_what_they_are_built_from_and_no_deeper(tmp_path: Path) -> None:
    arguments: Any = (
        torch._utils._rebuild_tensor_v2,
        torch.Tensor,
        (storage(3), 0, (3,), (1,), False, OrderedDict()),
        {},
    )
    made = Made(*arguments, by=torch._tensor._rebuild_from_type_v2)
    assert saved(tmp_path / "x.pt", {"w": made}).read("w").tolist() == [0, 1, 2]
    for _ in range(100):
        arguments = (torch._tensor._rebuild_from_type_v2, torch.Tensor, arguments, {})
    with pytest.raises(SourceError, match="a tensor of another class that is built by nothing known"):
        saved(tmp_path / "x.pt", {"w": Made(*arguments, by=torch._tensor._rebuild_from_type_v2)})


def shared(levels: int, width: int) -> Any:
    value: Any = {"w": torch.zeros(1)}
    for _ in range(levels):
        value = dict.fromkeys(map(str, range(width)), value)
    return value


def instructions(code: bytes) -> Any:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", code)

    return write


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: torch.save(shared(7, 40), path), "unfold to more than any checkpoint; refused as hostile"),
        (lambda path: torch.save(shared(5, 20) | {"a" * 10**6: shared(5, 20)}, path), "unfold to more than any"),
        (instructions(b"\x80\x02" + b"}" * 300_000), "more than 200000 instructions; refused as hostile"),
        (instructions(b"\x80\x02" + b"(" * 300_000), "containers nested more than 1000 times"),
        (instructions(b"\x80\x02)" + b"\x85" * 190_000 + b"Q."), "what stands outside the pickle is no storage"),
        (instructions(b"\x80\x02})" + b"\x85" * 190_000 + b"Ns."), "holds no tensor"),
        (instructions(b"\x80\x02" + b"N" * (65 << 20)), "a pickle of .* bytes, longer than that of any checkpoint"),
        (instructions(b"\x80\x02X\xff\xff\xff\x7f" + b"a" * 9), "its pickle asks for 2147483647 bytes"),
        (instructions(b"\x80\x02r\xff\xff\xff\x7f."), "holds no weights"),
        (instructions(b"\x80\x02\x8a\xff" + b"9" * 255 + b"."), "an integer of 255 bytes"),
        (instructions(b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R."), "for os.system; headforms never runs"),
        (instructions(b"\x80\x02cbuiltins\nbytearray\n\x8a\x06\x00\x00\x00\x00\x00\x01\x85R."), "holds no tensor"),
        (instructions(b"\x80\x02ctorch\n_dynamo\n."), "for torch._dynamo"),
        (instructions(b"S'text'\n."), "instruction b'S'"),
        (instructions(b""), "its pickle asks for 1 bytes"),
        (instructions(b"\x80\x02}(K\x01K\x02K\x01K\x03u."), "the name 1 appears twice in one mapping"),
        (instructions(b"\x80\x02}(]K\x02u."), "holds no tensor"),
        (instructions(b"\x80\x02]K\x01K\x02s."), "set in what is no mapping"),
        (instructions(b"\x80\x02}q\x00(K\x01h\x00u."), "holds no tensor"),
    ],
    ids=range(19),
)
def test_programs_that_build_large_or_strange_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any, words: str
) -> None:
    monkeypatch.setattr("verify.checkpoints.files.pickles.MOST_INSTRUCTIONS", 200_000)
    make(tmp_path / "x.bin")
    with pytest.raises(SourceError, match=words) as caught:
        opened(tmp_path / "x.bin")
    assert "x.bin" in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_two_tensors_of_one_name(tmp_path: Path) -> None:
    for state in ({"a.b": torch.zeros(1), "a": {"b": torch.ones(1)}}, {"1": torch.zeros(1), 1: torch.ones(1)}):
        with pytest.raises(SourceError, match=r"two tensors are named (a.b|1) once their names are joined; keep one"):
            saved(tmp_path / "x.pt", state)


def test_names_are_shown_on_one_line(tmp_path: Path) -> None:
    file = saved(tmp_path / "x.pt", {"evil\n\x1b[31m": torch.zeros(1).expand(9)})
    with pytest.raises(SourceError, match=r"tensor 'evil\\n\\x1b\[31m' repeats"):
        file.read("evil\n\x1b[31m")


def rewritten(path: Path, change: Any) -> None:
    """The archive of a saved tensor, each member as ``change`` wants it: (name, content) → what to write."""
    torch.save({"w": torch.arange(1000.0)}, path)
    with zipfile.ZipFile(path) as archive:
        members = [(member.filename, archive.read(member)) for member in archive.infolist()]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members:
            for new_name, new_content, method in change(name, content):
                archive.writestr(new_name, new_content, method)


def without(ending: str) -> Any:
    return lambda n, c: [] if n.endswith(ending) else [(n, c, zipfile.ZIP_STORED)]


def shorter(n: str, c: bytes) -> Any:
    return [(n, c[:100] if n.endswith("data/0") else c, zipfile.ZIP_STORED)]


def compressed(n: str, c: bytes) -> Any:
    return [(n, c, zipfile.ZIP_DEFLATED if n.endswith("data/0") else zipfile.ZIP_STORED)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without("data/0"), "tensor w lies in x/data/0, which is not in the archive"),
        (shorter, "tensor w needs 4000 bytes of a storage of 100"),
        (compressed, "member x/data/0 is compressed, so that no part of it can be read; save it again"),
    ],
)
def test_archives_whose_storages_are_not_there(tmp_path: Path, change: Any, words: str) -> None:
    rewritten(tmp_path / "x.pt", change)
    file = opened(tmp_path / "x.pt")
    with pytest.raises(SourceError, match=words):
        file.read("w")


def test_big_endian_archives_are_turned_round(tmp_path: Path) -> None:
    def turned(n: str, c: bytes) -> Any:
        if n.endswith("byteorder"):
            return [(n, b"big", zipfile.ZIP_STORED)]
        if n.endswith("data/0"):
            return [(n, struct.pack(">1000f", *struct.unpack("<1000f", c)), zipfile.ZIP_STORED)]
        return [(n, c, zipfile.ZIP_STORED)]

    rewritten(tmp_path / "x.pt", turned)
    assert torch.equal(torch.load(tmp_path / "x.pt")["w"], torch.arange(1000.0))
    assert torch.equal(opened(tmp_path / "x.pt").read("w"), torch.arange(1000.0))
    assert torch.equal(opened(tmp_path / "x.pt").read("w", Part(((3, 5),))), torch.tensor([3.0, 4.0]))


def plain_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")


def zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\0" * 10_000_000)


def truncated(path: Path) -> None:
    torch.save({"w": torch.randn(1000)}, path)
    path.write_bytes(path.read_bytes()[:2000])


def legacy_truncated(path: Path) -> None:
    torch.save({"w": torch.randn(1000)}, path, _use_new_zipfile_serialization=False)
    path.write_bytes(path.read_bytes()[:2000])


def legacy_of_another_length(path: Path) -> None:
    torch.save({"w": torch.arange(3.0)}, path, _use_new_zipfile_serialization=False)
    content = path.read_bytes()
    at = content.rindex(struct.pack("<q", 3))
    path.write_bytes(content[:at] + struct.pack("<q", 1 << 60) + content[at + 8 :])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (plain_zip, "without one data.pkl: not a file saved by PyTorch"),
        (zip_bomb, "is compressed, so that no part of it can be read"),
        (truncated, "a damaged zip archive: it has no directory at its end"),
        (legacy_truncated, "truncated: its storages end at byte"),
        (lambda path: path.write_bytes(pickle.dumps({"a": 1})), "a pickle that holds no weights"),
        (lambda path: path.write_bytes(pickle.dumps([1] * 1000, protocol=0)), "a pickle that holds no weights"),
        (lambda path: path.write_bytes(b"\x80garbage"), "holds no weights"),
        (lambda path: path.write_bytes(b"hello world"), "holds no weights"),
        (lambda path: torch.save({"a": 1}, path), "holds no tensor"),
        (lambda path: torch.save(7, path), "holds no tensor"),
    ],
)
def test_broken_files(tmp_path: Path, make: Any, words: str) -> None:
    make(tmp_path / "x.bin")
    with pytest.raises(SourceError, match=words) as caught:
        opened(tmp_path / "x.bin")
    assert "x.bin" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_storage_of_another_length_than_announced(tmp_path: Path) -> None:
    legacy_of_another_length(tmp_path / "x.bin")
    with pytest.raises(SourceError, match=f"tensor w lies in a storage of {1 << 60} numbers instead of the announced"):
        opened(tmp_path / "x.bin").read("w")


def test_parts_of_a_storage_as_old_files_have_them() -> None:
    """A tensor over numbers 1 and 2 of the part that begins at number 2 of a storage of six."""
    code = (
        b"\x80\x02}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor\n"
        b"((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00kX\x03\x00\x00\x00cpuK\x06"
        b"(X\x01\x00\x00\x00vK\x02K\x03tt"
        b"QK\x01K\x02\x85K\x01\x85tRs."
    )
    head = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({"little_endian": True}, 2)
    content = head + code + pickle.dumps(["k"], 2) + struct.pack("<q6f", 6, *range(6))
    assert PytorchFile(HeldBytes("x", content)).read("w").tolist() == [3.0, 4.0]
    with pytest.raises(SourceError, match="a part of a storage that lies outside it"):
        PytorchFile(HeldBytes("x", content.replace(b"K\x02K\x03tt", b"K\x04K\x03tt")))


@given(
    st.recursive(
        st.none() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_what_is_no_tensor_is_passed_over(value: Any) -> None:
    content = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2)
    content += pickle.dumps(value, 2) + pickle.dumps([], 2)
    with pytest.raises(SourceError, match="holds no tensor|an integer of|instruction b'.x8b'"):
        PytorchFile(HeldBytes("x", content))


def test_nesting_is_bounded(tmp_path: Path) -> None:
    nested: Any = torch.zeros(1)
    for _ in range(50):
        nested = {"a": nested}
    with pytest.raises(SourceError, match="holds no tensor"):
        saved(tmp_path / "x.pt", nested)


def test_a_large_honest_checkpoint_is_quick(tmp_path: Path) -> None:
    state = {f"model.layers.{i}.self_attn.q_proj.weight": torch.zeros(1) for i in range(5000)}
    torch.save(state, tmp_path / "x.pt")
    begin = time.monotonic()
    assert len(opened(tmp_path / "x.pt").tensors) == 5000
    assert time.monotonic() - begin < 5
