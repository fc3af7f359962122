"""Arguments of strategies: given, missing or drawn, and refused under the name by which they were given."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from proofs.errors import FieldError
from proofs.fields import QQ, Field, Scalar

T = TypeVar("T")


def lazily(build: Callable[[], SearchStrategy[T]]) -> SearchStrategy[T]:
    """A strategy whose arguments are checked when it is first used, as Hypothesis does it."""
    return st.deferred(build)


def require(condition: bool, message: str) -> None:
    """Raise ``InvalidArgument`` with the message unless the condition holds."""
    if not condition:
        raise InvalidArgument(message)


def argument(
    name: str, given: Any, check: Callable[[str, Any], None], *, default: SearchStrategy[T]
) -> SearchStrategy[T]:
    """An argument that may be missing, a value, or a strategy of values, each of which is checked under its name."""
    if given is None:
        return default
    if not isinstance(given, SearchStrategy):
        check(name, given)
        return st.just(given)

    def checked(value: T) -> T:
        check(name, value)
        return value

    return given.map(checked)


def size_argument(name: str, given: Any, *, default: SearchStrategy[Any], least: int = 0) -> SearchStrategy[Any]:
    """A size as :func:`argument`; an integer of NumPy's becomes one of Python's."""
    sizes: SearchStrategy[Any] = argument(
        name, given, lambda of, value: check_sizes(least=least, **{of: value}), default=default
    )
    return sizes if given is None else sizes.map(int)


def field_argument(given: Any) -> SearchStrategy[Field]:
    """The argument ``field`` as :func:`argument`; ℚ if it is missing."""
    return argument("field", given, lambda _, value: check_field(value), default=st.just(QQ))


def check_sizes(*, least: int = 0, **given: object) -> None:
    """Each must be an integer of at least ``least``."""
    for name, value in given.items():
        require(
            isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least,
            f"{name}={value!r} is not a size; expected an integer of at least {least}",
        )


def check_flags(**given: object) -> None:
    """Each must be True or False."""
    for name, value in given.items():
        require(isinstance(value, bool), f"{name}={value!r} is not a flag; pass True or False")


def check_field(value: object) -> None:
    """A ground field must be one."""
    require(isinstance(value, Field), f"field={value!r} is not a field; pass QQ, RR, GF(p) or Qp(p) from proofs.fields")


def check_elements(value: object) -> None:
    """Entries are given by a strategy, or not at all."""
    require(
        value is None or isinstance(value, SearchStrategy),
        f"elements={value!r} is not a strategy; pass one of numbers, such as st.integers(-1, 1)",
    )


def elements_argument(elements: SearchStrategy[Any], field: Field) -> SearchStrategy[Scalar]:
    """Given elements as those of the field, refused when they are drawn where they are none."""

    def element(value: Any) -> Scalar:
        try:
            return field(value)
        except FieldError as error:
            raise InvalidArgument(f"elements drew {value!r}, which is no element of {field}: {error}") from None

    return elements.map(element)
