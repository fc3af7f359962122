"""Exact attention heads: a pair (Q, K) of n × N matrices over a ground field, and what it determines.

Conventions (A. O'Desky, arXiv 2609.22990): Q and K act on column vectors, ``L = KᵀQ`` so that ``xᵀLy = ⟨Kx, Qy⟩``
with the key on the left; ``M = [K; Q]`` has the key rows on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from proofs.errors import FieldError, HypothesisError, ShapeError
from proofs.exact import Number
from proofs.fields import QQ, Field, Scalar
from proofs.literals import Literal, literal
from proofs.matrices import Matrix, beside, stack


def split_form(field: Field, n: int) -> Matrix:
    """``J = [[0, I], [I, 0]]``, 2n × 2n: the split symmetric form, n hyperbolic planes.

    >>> split_form(QQ, 1)
    [0, 1]
    [1, 0]
    """
    return _antidiagonal(field, n, lower=1)


def symplectic_form(field: Field, n: int) -> Matrix:
    """``Ω = [[0, I], [−I, 0]]``, 2n × 2n: the standard symplectic form.

    >>> symplectic_form(QQ, 1)
    [ 0, 1]
    [-1, 0]
    """
    return _antidiagonal(field, n, lower=-1)


def _antidiagonal(field: Field, n: int, *, lower: int) -> Matrix:
    result = field.zeros(2 * n, 2 * n)
    for i in range(n):
        result[i, n + i] = field(1)
        result[n + i, i] = field(lower)
    return result


def rotary_matrix(field: Field, tangents: Sequence[Number], *, delta: int = 1) -> Matrix:
    """An exact rotary embedding: one rotation by ``delta · θ`` in each plane of coordinates (2i, 2i+1).

    A plane's angle θ is given by the tangent t of its half, since ``cos θ = (1−t²)/(1+t²)`` and
    ``sin θ = 2t/(1+t²)`` then lie in the field: t = 1/2 is the Pythagorean triple (3, 4, 5).

    Args:
        field: the ground field.
        tangents: half-angle tangents, one a plane; the matrix is ``2·len(tangents)`` square.
        delta: the relative position, any integer.

    Raises:
        HypothesisError: ``1 + t² = 0`` in the field, so that t is no half-angle.

    >>> rotary_matrix(QQ, ["1/2"])
    [3/5, -4/5]
    [4/5,  3/5]
    """
    result = field.identity(2 * len(tangents))
    for i, tangent in enumerate(tangents):
        t = field(tangent)
        if 1 + t * t == 0:
            raise HypothesisError(f"1 + t² = 0 for t = {t} in {field}; a half-angle tangent needs 1 + t² ≠ 0")
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t) * (1 if delta >= 0 else -1)
        x, y = field(1), field(0)
        for _ in range(abs(delta)):
            x, y = c * x - s * y, s * x + c * y
        result[2 * i, 2 * i] = result[2 * i + 1, 2 * i + 1] = x
        result[2 * i + 1, 2 * i], result[2 * i, 2 * i + 1] = y, -y
    return result


@dataclass(frozen=True, repr=False)
class Head(Literal):
    """An exact head; make one with :meth:`Head.of`.

    Args:
        Q: query matrix, n × N over ``field``.
        K: key matrix, n × N over ``field``.
        field: the ground field, characteristic other than 2.

    Raises:
        ShapeError: Q and K have different shapes.

    >>> head = Head.of(Q=[[1, 0, 2]], K=[["0.5", 1, 0]])
    >>> head.L
    [1/2, 0, 1]
    [  1, 0, 2]
    [  0, 0, 0]
    >>> head.n, head.N, head.is_big
    (1, 3, False)
    """

    Q: Matrix
    K: Matrix
    field: Field = QQ

    def __post_init__(self) -> None:
        q, k = _shape(self.Q), _shape(self.K)
        if q != k:
            raise ShapeError(f"Q is {q[0]} × {q[1]} and K is {k[0]} × {k[1]}; both must be n × N")

    def __repr__(self) -> str:
        """Python that makes the head again.

        >>> Head.of([["1/2", 0]], [[0, 1]])
        Head.of(Q=[['1/2', 0]], K=[[0, 1]])
        """
        width = "" if self.n else f", N={self.N}"
        field = "" if self.field == QQ else f", field={self.field}"
        return f"Head.of(Q={literal(self.Q)}, K={literal(self.K)}{width}{field})"

    @classmethod
    def of(
        cls,
        Q: Sequence[Sequence[Number]] | Matrix,
        K: Sequence[Sequence[Number]] | Matrix,
        *,
        field: Field = QQ,
        N: int | None = None,
    ) -> Head:
        """A head from rows of exact numbers.

        Args:
            Q: n × N, nested sequences of int, Fraction, strings such as ``"-3/4"``, FLINT scalars; or a FLINT matrix.
            K: likewise, the same shape.
            field: the ground field.
            N: width of the residual stream; only needed for n = 0, ``Head.of([], [], N=3)``.

        Raises:
            ShapeError: ragged rows, different shapes, or n = 0 without N.
            FieldError: an entry that is not an exact element of the field (NaN, a float, a bad denominator).
        """
        matrices = []
        for name, rows in (("Q", Q), ("K", K)):
            try:
                matrices.append(field.matrix(rows, columns=N))
            except (FieldError, ShapeError) as error:
                raise type(error)(f"{name}: {error}") from None
        return cls(matrices[0], matrices[1], field)

    @property
    def n(self) -> int:
        """Head dimension."""
        return self.Q.nrows()

    @property
    def N(self) -> int:
        """Width of the residual stream."""
        return self.Q.ncols()

    @property
    def is_big(self) -> bool:
        """Whether ``2n > N``, so that ``rank M = 2n`` is impossible."""
        return 2 * self.n > self.N

    @cached_property
    def M(self) -> Matrix:
        """The stacked matrix ``[K; Q]``, 2n × N."""
        return stack(self.field, self.K, self.Q)

    @cached_property
    def L(self) -> Matrix:
        """The bilinear form ``KᵀQ``, N × N."""
        result: Matrix = self.K.transpose() * self.Q
        return result

    @property
    def S(self) -> Matrix:
        """Symmetric part ``(L + Lᵀ)/2 = ½MᵀJM``, N × N."""
        result: Matrix = (self.L + self.L.transpose()) * self._half
        return result

    @property
    def T(self) -> Matrix:
        """Antisymmetric part ``(L − Lᵀ)/2 = ½MᵀΩM``, N × N."""
        result: Matrix = (self.L - self.L.transpose()) * self._half
        return result

    @property
    def _half(self) -> Scalar:
        return self.field(1) / self.field(2)

    def gauge(self, A: Sequence[Sequence[Number]] | Matrix) -> Head:
        """The head ``(AQ, A⁻ᵀK)``: the same L and the same row space of M, for A invertible n × n.

        Raises:
            HypothesisError: A is singular.

        >>> head = Head.of([[1, 2, 0]], [[0, 1, 1]])
        >>> head.gauge([[3]]).L == head.L
        True
        """
        matrix = self._square(A, self.n, "the gauge A")
        try:
            inverse = matrix.inv()
        except ZeroDivisionError:
            raise HypothesisError("the gauge A is singular; expected an invertible n × n matrix") from None
        return replace(self, Q=matrix * self.Q, K=inverse.transpose() * self.K)

    def change_coordinates(self, U: Sequence[Sequence[Number]] | Matrix) -> Head:
        """The head ``(QU, KU)`` in new coordinates of the residual stream, U of N rows.

        M becomes MU and S becomes UᵀSU: a congruence if U is invertible. A singular U is admitted, since the mean
        removal of LayerNorm is one.

        Raises:
            ShapeError: U does not have N rows.

        >>> Head.of([[1, 2]], [[0, 1]]).change_coordinates([[1, 0], [0, "1/2"]]).Q
        [1, 1]
        """
        matrix = self.field.matrix(U)
        if matrix.nrows() != self.N:
            raise ShapeError(f"U is {matrix.nrows()} × {matrix.ncols()}; it must have N = {self.N} rows")
        return replace(self, Q=self.Q * matrix, K=self.K * matrix)

    def rotate(self, R: Sequence[Sequence[Number]] | Matrix) -> Head:
        """The head ``(RQ, K)``, R an orthogonal n × n matrix: a rotary embedding at one relative position.

        The row space of M stays, hence rank M, while L changes. See :func:`rotary_matrix` for exact R.

        Raises:
            HypothesisError: ``RᵀR ≠ I``.

        >>> head = Head.of([[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [1, 1, 0]])
        >>> head.rotate(rotary_matrix(QQ, ["1/2"], delta=3)).M.rank() == head.M.rank()
        True
        """
        matrix = self._square(R, self.n, "the rotation R")
        if matrix.transpose() * matrix != self.field.identity(self.n):
            raise HypothesisError("RᵀR is not the identity; a rotary embedding needs an orthogonal n × n matrix")
        return replace(self, Q=matrix * self.Q)

    def with_bias(self, query_bias: Sequence[Number], key_bias: Sequence[Number]) -> Head:
        """The homogenised head ``([Q b_q], [K b_k])`` on ``x̂ = (x, 1)``, of width N + 1 (Proposition 3 of the paper).

        Raises:
            ShapeError: a bias does not have n entries.

        >>> Head.of([[1, 2]], [[0, 1]]).with_bias([5], [0]).M
        [0, 1, 0]
        [1, 2, 5]
        """
        columns = []
        for name, bias in (("query", query_bias), ("key", key_bias)):
            column = self.field.matrix([[b] for b in bias], columns=1)
            if column.nrows() != self.n:
                raise ShapeError(f"the {name} bias has {column.nrows()} entries; expected n = {self.n}")
            columns.append(column)
        return replace(self, Q=beside(self.field, self.Q, columns[0]), K=beside(self.field, self.K, columns[1]))

    def over(self, field: Field) -> Head:
        """The same head over another field, such as a rational head reduced modulo p.

        Raises:
            FieldError: an entry has no image in the field.
        """
        return Head.of(self.Q, self.K, field=field, N=self.N)

    def _square(self, rows: Sequence[Sequence[Number]] | Matrix, size: int, name: str) -> Matrix:
        matrix = self.field.matrix(rows, columns=size)
        if matrix.nrows() != size:
            raise ShapeError(f"{name} is {matrix.nrows()} × {matrix.ncols()}; expected {size} × {size}")
        return matrix


def _shape(matrix: Matrix) -> tuple[int, int]:
    return matrix.nrows(), matrix.ncols()
