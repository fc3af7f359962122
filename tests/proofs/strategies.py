"""Exact matrices and forms beyond what :mod:`verify.strategies` draws: integer rows, and forms over local fields."""

from hypothesis import strategies as st

from proofs.fields import GF, QQ, RR, Field, Qp
from proofs.forms import Form
from verify.strategies import invertible_matrices

entries = st.integers(-3, 3)


def integer_rows(rows: int, columns: int, numbers: st.SearchStrategy = entries) -> st.SearchStrategy[list[list[int]]]:
    """Rows of a matrix as lists of integers, for routes that take no matrix of ours."""
    return st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


local_fields = st.sampled_from([RR, Qp(2), Qp(3), Qp(5), Qp(42762409), GF(3), GF(5), GF(2**89 - 1)])


@st.composite
def forms(draw, *, field: Field | None = None, max_dimension: int = 5, numbers: st.SearchStrategy = entries):
    """Forms that need not be diagonal: any small matrix, a moved diagonal, a moved plane and a line."""
    field = draw(st.one_of(local_fields, st.just(QQ))) if field is None else field
    size = draw(st.integers(0, max_dimension))
    kind = draw(st.sampled_from(["any", "diagonal", "planes"]))
    if kind == "any":
        A = field.matrix(draw(integer_rows(size, size, numbers)), columns=size)
        return Form(A + A.transpose(), field)
    form = Form.diagonal([draw(st.integers(-30, 30)) for _ in range(size)], field=field)
    if kind == "planes" and size >= 2:
        form = Form.of([[0, 1], [1, 0]], field=field) + Form.diagonal(form.gram.tolist()[0][:1], field=field)
    return form.restrict(draw(invertible_matrices(form.dimension, field=field)))
