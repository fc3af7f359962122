from typing import Any

import pytest
import torch

from verify.checkpoints.files.pickled_names import (
    BUILDERS,
    DTYPES,
    INERT,
    STORAGES,
    DamagedError,
    Described,
    Named,
    Storage,
    build,
    put,
)

STORE = Storage("0", torch.float32, 6)
V2 = "torch._utils._rebuild_tensor_v2"


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_every_storage_of_pytorch_has_the_dtype_that_pytorch_gives_it() -> None:
    for kind in torch._storage_classes:
        name = f"{kind.__module__}.{kind.__name__}"
        if kind is torch.storage.TypedStorage:
            continue
        expected = torch.uint8 if kind is torch.UntypedStorage else kind.dtype
        assert STORAGES[name] == expected
    assert DTYPES["torch.bfloat16"] is torch.bfloat16


def test_the_lists_do_not_meet() -> None:
    assert not (set(BUILDERS) & INERT or set(STORAGES) & INERT or set(BUILDERS) & set(STORAGES))


def test_descriptions() -> None:
    assert build(V2, (STORE, 1, (2, 2), (2, 1), True, {})) == Described(STORE, 1, (2, 2), (2, 1), torch.float32)
    assert build(V2, (STORE, 0, (2,), (1,), False, {}, {"conj": True})).unreadable == "lazy"
    assert build("torch._utils._rebuild_parameter", ("data", True, {})) == "data"
    v3 = build("torch._utils._rebuild_tensor_v3", (STORE, 0, (2,), (1,), False, {}, torch.float8_e5m2))
    assert (v3.dtype, v3.unreadable) == (torch.float8_e5m2, "")
    assert build("torch._utils._rebuild_meta_tensor_no_storage", (torch.float16, (3, 4), (4, 1), False)).shape == (3, 4)
    assert build("torch._utils._rebuild_sparse_tensor", (0, ())).unreadable == "sparse"
    assert build("argparse.Namespace", ()) == Named("argparse.Namespace")
    assert build("collections.OrderedDict", ([("a", 1), ("b", 2)],)) == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (V2, (None, 0, (2,), (1,), False, {})),
        (V2, (STORE, -1, (2,), (1,), False, {})),
        (V2, (STORE, 0, (-2,), (1,), False, {})),
        (V2, (STORE, 0, (2,), (1, 1), False, {})),
        (V2, (STORE, 0, 2, (1,), False, {})),
        (V2, (STORE, 0, (2.0,), (1,), False, {})),
        (V2, (STORE, 0, (1,) * 65, (1,) * 65, False, {})),
        ("torch.Size", ((1 << 62,),)),
        ("torch._tensor._rebuild_from_type_v2", ("f", "t", (), {})),
        ("torch._tensor._rebuild_from_type_v2", (Named("torch._tensor._rebuild_from_type_v2"), "t", (), {})),
    ],
)
def test_what_describes_nothing(name: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(DamagedError):
        build(name, arguments)


def test_keys_name_one_thing() -> None:
    table: dict[Any, Any] = {}
    put(table, ["a", 1, (1, 2), "lost", None, "lost", 2, "two"])
    assert table == {"a": 1, 2: "two"}
    with pytest.raises(DamagedError, match="the name a appears twice"):
        put(table, ["a", 2])
    with pytest.raises(DamagedError, match="a key without a value"):
        put(table, ["b"])
