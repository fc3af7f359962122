"""Pickles of state dicts, read without Python's unpickler: nothing of what a pickle names is imported or called.

A pickle is a program for a stack machine, and Python's own machine imports and calls whatever the program names. This
one knows the instructions that build plain containers and numbers, and a short list of names by which PyTorch writes
tensors; each of them becomes a description of where the tensor's numbers stand. Any other name ends the reading. The
number of instructions and of bytes is bounded, so that a short program cannot build a large object. Source of the
instructions: the module ``pickletools`` of Python; of the names: ``torch._utils`` and ``torch.serialization``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from verify.checkpoints.bytes import Cursor
from verify.errors import SourceError
from verify.quoting import shown

#: Instructions of one pickle, of which a tensor takes about 45, and how deep its containers may be nested.
MOST_INSTRUCTIONS, MOST_DEPTH = 3_000_000, 1000
#: Digits of an integer, in bytes: offsets and sizes are below 2⁶³.
MOST_BYTES = 32
#: What the name of a stretch of numbers outside the pickle begins with.
STORAGE = ("storage", b"storage")
#: torch holds tensors of at most so many axes.
MOST_AXES = 64


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


class _DamagedError(Exception):
    """A program that is no pickle of a state dict."""


def unpickle(cursor: Cursor, storages: dict[str, Storage] | None = None) -> Any:
    """The object that a pickle describes: containers, numbers, strings, and :class:`Described` for each tensor.

    Keys of mappings that are neither strings nor numbers are left out, with their values.

    Args:
        cursor: stands at the beginning of the pickle, and is left behind its end.
        storages: is filled with every storage that the pickle names, by its key.

    Raises:
        SourceError: it names something that is not on the list, is no pickle, is longer than any, or describes a tensor
            that cannot be.

    >>> import pickle
    >>> from verify.checkpoints.bytes import HeldBytes
    >>> unpickle(Cursor(HeldBytes("x.pkl", pickle.dumps({"a": [1, 2.5]}, protocol=2)), "its pickle"))
    {'a': [1, 2.5]}
    """
    machine = _Machine(cursor, {} if storages is None else storages)
    try:
        return machine.run()
    except (IndexError, KeyError, TypeError, ValueError, _DamagedError) as error:
        detail = f" ({error})" if isinstance(error, _DamagedError) else ""
        raise SourceError(
            f"{cursor.source.name}: a pickle that holds no weights, or a damaged one{detail}; name a file saved by "
            f"torch.save, or a safetensors file"
        ) from error


class _Machine:
    """The stack, the memo, and one method for each instruction that needs one."""

    def __init__(self, cursor: Cursor, storages: dict[str, Storage]) -> None:
        self.cursor = cursor
        self.storages = storages
        self.stack: list[Any] = []
        self.marks: list[list[Any]] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        take, instructions = self.cursor.take, _INSTRUCTIONS
        for _ in range(MOST_INSTRUCTIONS):
            code = take(1)
            if code == b".":
                return self.stack.pop()
            instruction = instructions.get(code)
            if instruction is None:
                raise _DamagedError(f"instruction {code!r}")
            instruction(self)
        raise SourceError(
            f"{self.cursor.source.name}: a pickle of more than {MOST_INSTRUCTIONS} instructions; refused as hostile"
        )

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def since_mark(self) -> list[Any]:
        items, self.stack = self.stack, self.marks.pop()
        return items

    def mark(self) -> None:
        if len(self.marks) >= MOST_DEPTH:
            raise _DamagedError(f"containers nested more than {MOST_DEPTH} times")
        self.marks.append(self.stack)
        self.stack = []

    def tuple_of(self, count: int) -> None:
        if len(self.stack) < count:
            raise IndexError
        items = tuple(self.stack[len(self.stack) - count :])
        self.stack[len(self.stack) - count :] = [items]

    def integer(self) -> None:
        size = self.cursor.number("B")
        if size > MOST_BYTES:
            raise _DamagedError(f"an integer of {size} bytes")
        self.push(int.from_bytes(self.cursor.take(size), "little", signed=True))

    def text(self, kind: str) -> None:
        self.push(self.cursor.take(self.cursor.number(kind)).decode("utf-8", errors="surrogatepass"))

    def bytes_of(self, kind: str) -> None:
        self.push(self.cursor.take(self.cursor.number(kind)))

    def remember(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    def append(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if isinstance(target, list):
            target.extend(items)
        elif not isinstance(target, Named):
            raise _DamagedError("something is appended to what is no list")

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if isinstance(target, Named):
            return
        if not isinstance(target, dict) or len(items) % 2:
            raise _DamagedError("an item is set in what is no mapping")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, (str, int, float)):
                continue
            if key in target:
                raise SourceError(f"{self.cursor.source.name}: the name {shown(key)} appears twice in one mapping")
            target[key] = value

    def named(self, module: str, name: str) -> None:
        self.push(self.resolved(f"{_RENAMED.get(module, module)}.{name}"))

    def named_by_lines(self) -> None:
        module, name = (self.cursor.line().decode("utf-8", errors="replace") for _ in range(2))
        self.named(module, name)

    def named_by_stack(self) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.named(str(module), str(name))

    def resolved(self, name: str) -> Any:
        if name in _DTYPES:
            return _DTYPES[name]
        if name not in _BUILDERS and name not in _STORAGES and name not in _INERT:
            raise SourceError(
                f"{self.cursor.source.name}: a pickle that asks for more than tensors to be built, for {shown(name)}; "
                f"headforms never runs code from a file: save its state dict alone, or as safetensors"
            )
        return Named(name)

    def call(self) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if not isinstance(function, Named) or not isinstance(arguments, tuple):
            raise _DamagedError("something is called that has no name")
        self.push(self.built(function.name, arguments))

    def built(self, name: str, arguments: tuple[Any, ...]) -> Any:
        builder = _BUILDERS.get(name)
        return Named(name) if builder is None else builder(self, *arguments)

    def call_with_names(self) -> None:
        self.stack.pop()
        self.call()

    def set_state(self) -> None:
        """The attributes of an object; none of them matters here."""
        self.stack.pop()
        if not self.stack:
            raise IndexError

    def stored(self) -> None:
        identity = self.stack.pop()
        if not isinstance(identity, tuple) or len(identity) not in {5, 6} or identity[0] not in STORAGE:
            raise _DamagedError("what stands outside the pickle is no storage")
        _, kind, key, _, numel, *view = identity
        dtype = _STORAGES.get(kind.name) if isinstance(kind, Named) else None
        if dtype is None or not isinstance(key, (str, int)):
            raise _DamagedError("a storage of an unknown type")
        root = self.storages.setdefault(str(key), Storage(str(key), dtype, _natural(numel)))
        if (root.dtype, root.numel) != (dtype, numel):
            raise _DamagedError("a storage with two sizes")
        if view and view[0] is not None:
            _, offset, numel = view[0]
            root = Storage(root.key, dtype, _natural(numel), _natural(offset))
            if root.offset + root.numel > self.storages[root.key].numel:
                raise _DamagedError("a part of a storage that lies outside it")
        self.push(root)


def _natural(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise _DamagedError("a size that is no natural number")
    return value


def _naturals(values: Any) -> tuple[int, ...]:
    if not isinstance(values, (tuple, list)) or len(values) > MOST_AXES:
        raise _DamagedError("a shape that is no tuple of natural numbers")
    return tuple(_natural(value) for value in values)


def _tensor(machine: _Machine, storage: Any, offset: Any, shape: Any, strides: Any, *rest: Any) -> Described:
    """``_rebuild_tensor`` and ``_rebuild_tensor_v2``; the last of the latter's arguments tells of lazy operations."""
    lazy = len(rest) > 2 and bool(rest[2])
    return _described(storage, offset, shape, strides, getattr(storage, "dtype", None), "lazy" if lazy else "")


def _tensor_of_bytes(
    machine: _Machine,
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
    sizes, steps = _naturals(shape), _naturals(strides)
    if not isinstance(storage, Storage) or not isinstance(dtype, torch.dtype) or len(sizes) != len(steps):
        raise _DamagedError("a tensor without a storage, or with strides that do not go with its shape")
    if dtype in _QUANTISED:
        unreadable = "quantised"
    return Described(storage, _natural(offset), sizes, steps, dtype, unreadable)


def _unreadable(kind: str, shape: int | None = None) -> Callable[..., Described]:
    """A builder of tensors without plain numbers, of whose arguments one may be the shape."""

    def build(machine: _Machine, *arguments: Any) -> Described:
        given = arguments[shape] if shape is not None and shape < len(arguments) else ()
        sizes = _naturals(given) if isinstance(given, (tuple, list)) else ()
        return Described(None, 0, sizes, (), None, kind)

    return build


def _parameter(machine: _Machine, data: Any, *rest: Any) -> Any:
    return data


def _from_type(machine: _Machine, function: Any, kind: Any, arguments: Any, state: Any) -> Any:
    if not isinstance(function, Named) or not isinstance(arguments, tuple):
        raise _DamagedError("something is called that has no name")
    return machine.built(function.name, arguments)


def _ordered(machine: _Machine, pairs: Any = (), *rest: Any) -> dict[Any, Any]:
    table: dict[Any, Any] = {}
    machine.push(table)
    machine.set_items([part for pair in pairs for part in pair])
    machine.stack.pop()
    return table


def _size(machine: _Machine, sizes: Any = ()) -> tuple[int, ...]:
    return _naturals(sizes)


_RENAMED = {"__builtin__": "builtins", "copy_reg": "copyreg"}
_DTYPES = {f"torch.{name}": value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
_QUANTISED = {torch.quint8, torch.qint8, torch.qint32, torch.quint4x2, torch.quint2x4}
#: Storage class → dtype of its numbers.
_STORAGES: dict[str, torch.dtype] = {
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
_BUILDERS: dict[str, Callable[..., Any]] = {
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
_INERT = frozenset(
    {
        "torch.Tensor", "torch.device", "torch.serialization._get_layout", "torch.per_tensor_affine",
        "torch.per_tensor_symmetric", "torch.per_channel_affine", "torch.per_channel_symmetric",
        "torch.per_channel_affine_float_qparams", "collections.Counter", "collections.defaultdict",
        "_codecs.encode", "builtins.bytearray", "builtins.set", "builtins.frozenset", "builtins.complex",
        "builtins.dict", "builtins.list", "builtins.int", "builtins.float", "argparse.Namespace",
        "pathlib.Path", "pathlib.PosixPath", "numpy.dtype", "numpy.core.multiarray.scalar",
        "numpy._core.multiarray.scalar",
    }
)  # fmt: skip
Instruction = Callable[[_Machine], object]
_INSTRUCTIONS: Mapping[bytes, Instruction] = {
    b"\x80": lambda m: m.cursor.take(1),  # the protocol's number
    b"\x95": lambda m: m.cursor.take(8),  # a frame's length
    b"(": _Machine.mark,
    b"0": lambda m: m.stack.pop(),
    b"N": lambda m: m.push(None),
    b"\x88": lambda m: m.push(True),
    b"\x89": lambda m: m.push(False),
    b"J": lambda m: m.push(m.cursor.number("i")),
    b"K": lambda m: m.push(m.cursor.number("B")),
    b"M": lambda m: m.push(m.cursor.number("H")),
    b"\x8a": _Machine.integer,
    b"G": lambda m: m.push(struct.unpack(">d", m.cursor.take(8))[0]),
    b"X": lambda m: m.text("I"),
    b"\x8c": lambda m: m.text("B"),
    b"\x8d": lambda m: m.text("Q"),
    b"U": lambda m: m.bytes_of("B"),
    b"T": lambda m: m.bytes_of("I"),
    b"C": lambda m: m.bytes_of("B"),
    b"B": lambda m: m.bytes_of("I"),
    b"\x8e": lambda m: m.bytes_of("Q"),
    b")": lambda m: m.push(()),
    b"]": lambda m: m.push([]),
    b"}": lambda m: m.push({}),
    b"\x8f": lambda m: m.push(Named("builtins.set")),
    b"t": lambda m: m.push(tuple(m.since_mark())),
    b"l": lambda m: m.push(m.since_mark()),
    b"\x85": lambda m: m.tuple_of(1),
    b"\x86": lambda m: m.tuple_of(2),
    b"\x87": lambda m: m.tuple_of(3),
    b"a": lambda m: m.append([m.stack.pop()]),
    b"e": lambda m: m.append(m.since_mark()),
    b"\x90": lambda m: m.append(m.since_mark()),
    b"s": lambda m: m.set_items([m.stack.pop(-2), m.stack.pop()]),
    b"u": lambda m: m.set_items(m.since_mark()),
    b"q": lambda m: m.remember(m.cursor.number("B")),
    b"r": lambda m: m.remember(m.cursor.number("I")),
    b"\x94": lambda m: m.remember(len(m.memo)),
    b"h": lambda m: m.push(m.memo[m.cursor.number("B")]),
    b"j": lambda m: m.push(m.memo[m.cursor.number("I")]),
    b"c": _Machine.named_by_lines,
    b"\x93": _Machine.named_by_stack,
    b"R": _Machine.call,
    b"\x81": _Machine.call,
    b"\x92": _Machine.call_with_names,
    b"b": _Machine.set_state,
    b"Q": _Machine.stored,
}
