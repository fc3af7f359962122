"""What the names in a pickle of a state dict stand for: descriptions of tensors, plain containers, or nothing.

No name is looked up in a module: a name is on a list here, or it is refused. Source: ``torch._utils``,
``torch._tensor`` and ``torch.storage``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from verify.quoting import shown

#: torch holds tensors of at most so many axes.
MOST_AXES = 64


class DamagedError(Exception):
    """A program that is no pickle of a state dict; the message is only a part of a sentence."""


@dataclass(frozen=True)
class Storage:
    """A stretch of numbers of a file: ``numel`` of some dtype, beginning ``offset`` numbers into the stretch ``key``.

    An untyped storage counts bytes, and has dtype ``torch.uint8``.
    """

    key: str
    dtype: torch.dtype
    numel: int
    offset: int = 0


@dataclass(frozen=True)
class Described:
    """A tensor: where its numbers stand in a storage, or why there are none that can be read.

    Args:
        storage: the stretch that holds the numbers.
        offset: the first number, counted in numbers of ``dtype``.
        shape: natural numbers.
        strides: natural numbers, one for each axis.
        dtype: of the numbers.
        unreadable: what kind of tensor it is, if it is none with plain numbers in it.
    """

    storage: Storage | None
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: torch.dtype | None
    unreadable: str = ""


@dataclass(frozen=True)
class Named:
    """A name that a pickle uses; also what is made by calling it, where that is nothing of interest."""

    name: str


def build(name: str, arguments: tuple[Any, ...]) -> Any:
    """What calling a name with some arguments stands for.

    Raises:
        DamagedError: it would be a tensor, and the arguments describe none.

    >>> build("torch.Size", ((2, 3),)), build("collections.OrderedDict", ())
    ((2, 3), {})
    """
    builder = BUILDERS.get(name)
    return Named(name) if builder is None else builder(*arguments)


def put(table: dict[Any, Any], items: Sequence[Any]) -> None:
    """Set keys and values, which follow one another, in a mapping; keys that can name nothing are left out.

    Raises:
        DamagedError: a key is there already, or the last one has no value.
    """
    if len(items) % 2:
        raise DamagedError("a key without a value")
    for key, value in zip(items[::2], items[1::2], strict=True):
        if isinstance(key, (str, int, float)):
            if key in table:
                raise DamagedError(f"the name {shown(key)} appears twice in one mapping")
            table[key] = value


def natural(value: Any) -> int:
    """A size or an offset.

    Raises:
        DamagedError: it is no natural number below 2⁶².
    """
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise DamagedError("a size that is no natural number")
    return value


def naturals(values: Any) -> tuple[int, ...]:
    """A shape or strides.

    Raises:
        DamagedError: they are not at most 64 natural numbers.
    """
    if not isinstance(values, (tuple, list)) or len(values) > MOST_AXES:
        raise DamagedError("a shape that is no tuple of natural numbers")
    return tuple(natural(value) for value in values)


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *rest: Any) -> Described:
    """``_rebuild_tensor`` and ``_rebuild_tensor_v2``; the last of the latter's arguments tells of lazy operations."""
    lazy = len(rest) > 2 and bool(rest[2])
    return _described(storage, offset, shape, strides, getattr(storage, "dtype", None), "lazy" if lazy else "")


def _tensor_of_bytes(
    storage: Any,
    offset: Any,
    shape: Any,
    strides: Any,
    grad: Any,
    hooks: Any,
    dtype: Any,
    *rest: Any,
) -> Described:
    return _described(storage, offset, shape, strides, dtype, "lazy" if rest and rest[0] else "")


def _described(storage: Any, offset: Any, shape: Any, strides: Any, dtype: Any, unreadable: str) -> Described:
    sizes, steps = naturals(shape), naturals(strides)
    if not isinstance(storage, Storage) or not isinstance(dtype, torch.dtype) or len(sizes) != len(steps):
        raise DamagedError("a tensor without a storage, or with strides that do not go with its shape")
    if dtype in _QUANTISED:
        unreadable = "quantised"
    return Described(storage, natural(offset), sizes, steps, dtype, unreadable)


def _unreadable(kind: str, shape: int | None = None) -> Callable[..., Described]:
    """A builder of tensors without plain numbers, of whose arguments one may be the shape."""

    def build(*arguments: Any) -> Described:
        given = arguments[shape] if shape is not None and shape < len(arguments) else ()
        sizes = naturals(given) if isinstance(given, (tuple, list)) else ()
        return Described(None, 0, sizes, (), None, kind)

    return build


def _parameter(data: Any, *rest: Any) -> Any:
    return data


def _from_type(function: Any, kind: Any, arguments: Any, state: Any) -> Any:
    if not isinstance(function, Named) or not isinstance(arguments, tuple) or BUILDERS.get(function.name) is _from_type:
        raise DamagedError("a tensor of another class that is built by nothing known")
    return build(function.name, arguments)


def _ordered(pairs: Any = (), *rest: Any) -> dict[Any, Any]:
    table: dict[Any, Any] = {}
    put(table, [part for pair in pairs for part in pair])
    return table


def _size(sizes: Any = ()) -> tuple[int, ...]:
    return naturals(sizes)


RENAMED = {"__builtin__": "builtins", "copy_reg": "copyreg"}
DTYPES = {f"torch.{name}": value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
_QUANTISED = {torch.quint8, torch.qint8, torch.qint32, torch.quint4x2, torch.quint2x4}
#: Storage class → dtype of its numbers.
STORAGES: dict[str, torch.dtype] = {
    **{
        f"{module}.{name}Storage": dtype
        for module in ("torch", "torch.cuda")
        for name, dtype in {
            "Double": torch.float64, "Float": torch.float32, "Half": torch.float16, "BFloat16": torch.bfloat16,
            "Long": torch.int64, "Int": torch.int32, "Short": torch.int16, "Char": torch.int8, "Byte": torch.uint8,
            "Bool": torch.bool, "ComplexDouble": torch.complex128, "ComplexFloat": torch.complex64,
            "QUInt8": torch.quint8, "QInt8": torch.qint8, "QInt32": torch.qint32, "QUInt4x2": torch.quint4x2,
            "QUInt2x4": torch.quint2x4,
        }.items()
    },
    **dict.fromkeys(("torch.storage.UntypedStorage", "torch.storage._UntypedStorage"), torch.uint8),
}  # fmt: skip
#: What is called to build a tensor or a container → the description or the container that stands for it.
BUILDERS: dict[str, Callable[..., Any]] = {
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _tensor_of_bytes,
    "torch._utils._rebuild_parameter": _parameter,
    "torch._utils._rebuild_parameter_with_state": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch._tensor._rebuild_from_type_v2": _from_type,
    "torch._utils._rebuild_qtensor": _unreadable("quantised", 2),
    "torch._utils._rebuild_sparse_tensor": _unreadable("sparse"),
    "torch._utils._rebuild_nested_tensor": _unreadable("nested"),
    "torch._utils._rebuild_meta_tensor_no_storage": _unreadable("meta", 1),
    "torch._utils._rebuild_wrapper_subclass": _unreadable("wrapped", 2),
    "torch._utils._rebuild_device_tensor_from_numpy": _unreadable("from another device"),
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": _parameter,
    "torch.Size": _size,
    "collections.OrderedDict": _ordered,
}
#: Names whose objects hold no tensor of a model; calling them makes nothing.
INERT = frozenset(
    {
        "torch.Tensor", "torch.device", "torch.serialization._get_layout", "torch.per_tensor_affine",
        "torch.per_tensor_symmetric", "torch.per_channel_affine", "torch.per_channel_symmetric",
        "torch.per_channel_affine_float_qparams", "collections.Counter", "collections.defaultdict",
        "_codecs.encode", "builtins.bytes", "builtins.bytearray", "builtins.set", "builtins.frozenset",
        "builtins.complex",
        "builtins.dict", "builtins.list", "builtins.int", "builtins.float", "argparse.Namespace",
        "pathlib.Path", "pathlib.PosixPath", "numpy.dtype", "numpy.core.multiarray.scalar",
        "numpy._core.multiarray.scalar",
    }
)  # fmt: skip
