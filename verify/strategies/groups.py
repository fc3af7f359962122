"""The groups that act on heads: gauge transformations, changes of coordinates, rotations. Exact over every field."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import rotary_matrix
from proofs.matrices import Matrix
from verify.strategies.arguments import check_field, check_flags, check_sizes, lazily, require
from verify.strategies.arithmetic import below, numbers


def _permutation(field: Field, order: list[int]) -> Matrix:
    result = field.zeros(len(order), len(order))
    for i, j in enumerate(order):
        result[i, j] = field(1)
    return result


@st.composite
def orders(draw: st.DrawFn, size: int, *, length: int | None = None) -> list[int]:
    """The first ``length`` (by default all) places of a permutation of ``range(size)``; shrinks to the identity."""
    rest = list(range(size))
    return [rest.pop(draw(below(len(rest)))) for _ in range(size if length is None else length)]


@st.composite
def _invertible(draw: st.DrawFn, size: int, field: Field, unimodular: bool) -> Matrix:
    elements = st.integers(-2, 2) if unimodular else numbers(field=field)
    lower, upper = field.identity(size), field.identity(size)
    for i in range(size):
        for j in range(i):
            lower[i, j], upper[j, i] = field(draw(elements)), field(draw(elements))
    if not unimodular:
        units = st.sampled_from([field(1), field(-1), field(2)] + ([field(1) / 2] if not field.characteristic else []))
        for i in range(size):
            upper[i, i] = draw(units)
    result: Matrix = _permutation(field, draw(orders(size))) * lower * upper
    return result


def invertible_matrices(size: int, *, field: Field = QQ, unimodular: bool = False) -> SearchStrategy[Matrix]:
    """Invertible matrices: permutation times unit lower times upper triangular. They shrink to the identity.

    Args:
        size: number of rows and columns.
        field: the ground field.
        unimodular: integers of determinant ±1, so that the inverse is integral too.

    Raises:
        InvalidArgument: the size is negative, or no field.
    """

    def build() -> SearchStrategy[Matrix]:
        check_sizes(size=size)
        check_field(field)
        check_flags(unimodular=unimodular)
        return _invertible(int(size), field, unimodular)

    return lazily(build)


def gauge_transforms(n: int, *, field: Field = QQ, unimodular: bool = False) -> SearchStrategy[Matrix]:
    """Gauge transformations of heads of dimension n, for :meth:`proofs.heads.Head.gauge`: invertible n × n matrices.

    Raises:
        InvalidArgument: n is negative, or no field.
    """

    def build() -> SearchStrategy[Matrix]:
        check_sizes(n=n)
        return invertible_matrices(n, field=field, unimodular=unimodular)

    return lazily(build)


@st.composite
def _orthogonal(draw: st.DrawFn, size: int, field: Field, max_rotations: int) -> Matrix:
    order = draw(orders(size))
    signs = field.diagonal([draw(st.sampled_from([1, -1])) for _ in range(size)])
    result: Matrix = signs * _permutation(field, order)
    if max_rotations == 0 or size < 2:
        return result
    planes = st.tuples(st.integers(0, size - 2), st.integers(1, size - 1), _tangents(field))
    for i, offset, tangent in draw(st.lists(planes, max_size=max_rotations)):
        j = i + 1 + (offset - 1) % (size - 1 - i)
        rotation, plane = field.identity(size), rotary_matrix(field, [tangent])
        rotation[i, i], rotation[i, j] = plane[0, 0], plane[0, 1]
        rotation[j, i], rotation[j, j] = plane[1, 0], plane[1, 1]
        result = rotation * result
    return result


def _tangents(field: Field) -> SearchStrategy[object]:
    """Half-angle tangents t with 1 + t² ≠ 0, chosen and not filtered."""
    if not field.characteristic:
        return st.sampled_from(["0", "1", "1/2", "1/3", "2/3", "-1/2", "3", "-1"])
    return st.sampled_from([t for t in range(12) if field(1 + t * t) != 0])


def orthogonal_matrices(size: int, *, field: Field = QQ, max_rotations: int | None = None) -> SearchStrategy[Matrix]:
    """Matrices with ``RᵀR = I``, exactly: a signed permutation times rational rotations in coordinate planes.

    Args:
        size: number of rows and columns.
        field: the ground field.
        max_rotations: at most so many rotations, ``2 · size`` by default; every one brings denominators with it. 0 for
            signed permutations, which floating point applies exactly.

    Raises:
        InvalidArgument: a number is negative, or no field.
    """

    def build() -> SearchStrategy[Matrix]:
        check_sizes(size=size)
        check_field(field)
        most = 2 * size if max_rotations is None else max_rotations
        check_sizes(max_rotations=most)
        return _orthogonal(int(size), field, int(most))

    return lazily(build)


def rotary(n: int, *, field: Field = QQ, max_delta: int = 4) -> SearchStrategy[Matrix]:
    """Rotary embeddings at one relative position, for :meth:`proofs.heads.Head.rotate`: n × n, planes (2i, 2i+1).

    Args:
        n: head dimension, even.
        field: the ground field.
        max_delta: bound of the relative position.

    Raises:
        InvalidArgument: n is negative or odd, ``max_delta`` is negative, or no field.
    """

    def build() -> SearchStrategy[Matrix]:
        check_sizes(n=n, max_delta=max_delta)
        check_field(field)
        require(n % 2 == 0, f"n={n} is odd; a rotary embedding rotates pairs of rows, so pass an even n")
        return st.builds(
            lambda tangents, delta: rotary_matrix(field, tangents, delta=delta),
            st.lists(_tangents(field), min_size=int(n) // 2, max_size=int(n) // 2),
            st.integers(-int(max_delta), int(max_delta)),
        )

    return lazily(build)
