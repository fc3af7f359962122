"""Pickles of state dicts, read without Python's unpickler: nothing of what a pickle names is imported or called.

A pickle is a program for a stack machine, and Python's own machine imports and calls whatever the program names. This
one knows the instructions that build plain containers and numbers, and a short list of names by which PyTorch writes
tensors; each of them becomes a description of where the tensor's numbers stand. Any other name ends the reading. The
number of instructions and of bytes is bounded, so that a short program cannot build a large object. Source of the
instructions: the module ``pickletools`` of Python.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from verify.checkpoints.bytes import Cursor
from verify.checkpoints.files.pickled_names import (
    BUILDERS,
    DTYPES,
    INERT,
    RENAMED,
    STORAGES,
    DamagedError,
    Described,
    Named,
    Storage,
    build,
    natural,
    put,
)
from verify.errors import SourceError
from verify.quoting import shown

__all__ = ["Described", "Storage", "unpickle"]

#: Instructions of one pickle, of which a tensor takes about 45, and how deep its containers may be nested.
MOST_INSTRUCTIONS, MOST_DEPTH = 3_000_000, 1000
#: Digits of an integer, in bytes: offsets and sizes are below 2⁶³.
MOST_BYTES = 32
#: What the name of a stretch of numbers outside the pickle begins with.
STORAGE = ("storage", b"storage")


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
    except (IndexError, KeyError, TypeError, ValueError, DamagedError) as error:
        detail = f" ({error})" if isinstance(error, DamagedError) else ""
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
                raise DamagedError(f"instruction {code!r}")
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
            raise DamagedError(f"containers nested more than {MOST_DEPTH} times")
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
            raise DamagedError(f"an integer of {size} bytes")
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
            raise DamagedError("something is appended to what is no list")

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if isinstance(target, Named):
            return
        if not isinstance(target, dict):
            raise DamagedError("an item is set in what is no mapping")
        put(target, items)

    def named(self, module: str, name: str) -> None:
        self.push(self.resolved(f"{RENAMED.get(module, module)}.{name}"))

    def named_by_lines(self) -> None:
        module, name = (self.cursor.line().decode("utf-8", errors="replace") for _ in range(2))
        self.named(module, name)

    def named_by_stack(self) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.named(str(module), str(name))

    def resolved(self, name: str) -> Any:
        if name in DTYPES:
            return DTYPES[name]
        if name not in BUILDERS and name not in STORAGES and name not in INERT:
            raise SourceError(
                f"{self.cursor.source.name}: a pickle that asks for more than tensors to be built, for {shown(name)}; "
                f"headforms never runs code from a file: save its state dict alone, or as safetensors"
            )
        return Named(name)

    def call(self) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if not isinstance(function, Named) or not isinstance(arguments, tuple):
            raise DamagedError("something is called that has no name")
        self.push(build(function.name, arguments))

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
            raise DamagedError("what stands outside the pickle is no storage")
        _, kind, key, _, numel, *view = identity
        dtype = STORAGES.get(kind.name) if isinstance(kind, Named) else None
        if dtype is None or not isinstance(key, (str, int)):
            raise DamagedError("a storage of an unknown type")
        root = self.storages.setdefault(str(key), Storage(str(key), dtype, natural(numel)))
        if (root.dtype, root.numel) != (dtype, numel):
            raise DamagedError("a storage with two sizes")
        if view and view[0] is not None:
            _, offset, numel = view[0]
            root = Storage(root.key, dtype, natural(numel), natural(offset))
            if root.offset + root.numel > self.storages[root.key].numel:
                raise DamagedError("a part of a storage that lies outside it")
        self.push(root)


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
