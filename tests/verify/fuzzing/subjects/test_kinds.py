from hypothesis import given

from proofs.fields import GF
from proofs.heads import Head
from proofs.statements import statement
from proofs.statements.unit_spectra import PairedSpectrum
from verify.fuzzing.subjects import Size, kind_of
from verify.fuzzing.subjects.kinds import MOST_COLUMNS, MOST_ROWS


def test_what_may_be_drawn():
    free = Size()
    assert (free.rows()[-1], free.columns()[0], free.columns()[-1]) == (MOST_ROWS, 1, MOST_COLUMNS)
    assert list(free.rows(least=1)) == [1, 2]
    assert (list(Size(n=9).rows()), list(Size(N=9).columns())) == ([9], [9])
    assert [Size(n=n, N=N).has_room for n, N in ((None, None), (2, 3), (2, 4), (3, None), (None, 1))] == [
        True,
        False,
        True,
        False,
        True,
    ]


@given(Size(GF(3)).heads())
def test_heads_stay_within_the_bounds(head):
    assert head.n <= MOST_ROWS
    assert head.N <= MOST_COLUMNS
    assert head.field == GF(3)


def test_smaller_sizes_keep_what_is_fixed():
    kind = kind_of(statement("theorem-3"))
    head = Head.of([[1, 0], [0, 1]], [[1, 0], [0, 1]])
    assert [(size.n, size.N) for size in kind.below(head, Size())] == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1)]
    assert list(kind.below(head, Size(GF(3), 2))) == [Size(GF(3), 2, 1)]


def test_smaller_sizes_are_those_that_exist():
    """Spectra have no n, and an even N; polynomials have no size at all."""
    spectra = kind_of(statement("lemma-7"))
    assert list(spectra.below(PairedSpectrum((1, 1, 1, -1, -1, -1)), Size())) == [Size(N=2), Size(N=4)]
    polynomials = kind_of(statement("lemma-1"))
    assert list(polynomials.below(statement("lemma-1").hypothesis("degree-in-x").counterexample(), Size())) == []
