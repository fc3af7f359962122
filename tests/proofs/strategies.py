"""Exact heads for property-based tests: generic ones and degenerate ones by construction."""

from hypothesis import strategies as st

from proofs.fields import GF, QQ, RR, Field, Qp
from proofs.forms import Form
from proofs.heads import Head

entries = st.integers(-3, 3)


def matrices(rows: int, columns: int, numbers: st.SearchStrategy = entries) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


fields = st.sampled_from([QQ, GF(3), GF(5), GF(101), GF(2**61 - 1), GF(2**89 - 1)])


@st.composite
def invertible(draw, size: int, field: Field = QQ):
    """A product of a unit lower and a unit upper triangular matrix: invertible over every field."""
    lower, upper = field.identity(size), field.identity(size)
    for i in range(size):
        for j in range(i):
            lower[i, j], upper[j, i] = field(draw(entries)), field(draw(entries))
    return lower * upper


@st.composite
def heads(draw, *, field: Field | None = None, max_n: int = 3, max_N: int = 6):
    """Heads of every kind: generic, with M of a prescribed smaller rank, tied (K = AQ), big or not, n = 0 too."""
    field = draw(fields) if field is None else field
    n, N = draw(st.integers(0, max_n)), draw(st.integers(1, max_N))
    kind = draw(st.sampled_from(["generic", "low rank", "tied"]))
    if kind == "low rank":
        r = draw(st.integers(0, min(2 * n, N)))
        left = field.matrix(draw(matrices(2 * n, r)), columns=r)
        right = field.matrix(draw(matrices(r, N)), columns=N)
        rows = (left * right).tolist()
        return Head.of(rows[n:], rows[:n], field=field, N=N)
    Q = field.matrix(draw(matrices(n, N)), columns=N)
    if kind == "tied":
        A = field.matrix(draw(matrices(n, n)), columns=n)
        return Head.of(Q, A * Q, field=field, N=N)
    return Head.of(Q, draw(matrices(n, N)), field=field, N=N)


local_fields = st.sampled_from([RR, Qp(2), Qp(3), Qp(5), Qp(42762409), GF(3), GF(5), GF(2**89 - 1)])


@st.composite
def forms(draw, *, field: Field | None = None, max_dimension: int = 5, numbers: st.SearchStrategy = entries):
    """Forms that need not be diagonal: congruent to a diagonal one, a sum of planes, or with any small matrix."""
    field = draw(st.one_of(local_fields, st.just(QQ))) if field is None else field
    size = draw(st.integers(0, max_dimension))
    kind = draw(st.sampled_from(["any", "diagonal", "planes"]))
    if kind == "any":
        A = field.matrix(draw(matrices(size, size, numbers)), columns=size)
        return Form(A + A.transpose(), field)
    form = Form.diagonal([draw(st.integers(-30, 30)) for _ in range(size)], field=field)
    if kind == "planes" and size >= 2:
        form = Form.of([[0, 1], [1, 0]], field=field) + Form.diagonal(form.gram.tolist()[0][:1], field=field)
    return form.restrict(draw(invertible(form.dimension, field)))
