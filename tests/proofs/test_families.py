import pytest

from proofs.errors import HeadformsError, InconsistencyError, ShapeError
from proofs.families import NOT_BILINEAR, PARAMETRISATIONS, Score, all_outcomes, family, outcome
from proofs.inertia import signature

OUTCOMES = list(all_outcomes())


def test_the_theorem_holds_exactly_within_the_stated_sizes():
    for result in OUTCOMES:
        assert (result.conclusion == "theorem") == family(result.family).where[1](dict(result.sizes)), result.family


@pytest.mark.parametrize(
    "identifier, sizes, expected",
    [
        ("single-head", {"n": 3, "N": 6}, True),
        ("single-head", {"n": 3, "N": 5}, False),
        ("biased", {"n": 3, "N": 5}, True),
        ("centre-folded", {"n": 1, "N": 4}, True),
        ("low-rank", {"n": 1, "N": 4, "r_k": 1, "r_q": 3}, True),
        ("low-rank", {"n": 3, "N": 6, "r_k": 3, "r_q": 2}, False),
        ("shared-latent", {"n": 2, "N": 7, "r": 4}, True),
        ("latent", {"n": 4, "N": 8, "n_c": 2, "n_r": 2, "r_kv": 2, "r_q": 4}, True),
        ("latent", {"n": 4, "N": 7, "n_c": 2, "n_r": 2, "r_kv": 2, "r_q": 4}, False),
        ("adapter-on-tied", {"n": 4, "N": 9, "r": 2}, True),
        ("rotary", {"n": 4, "N": 8, "rotated": 4}, True),
        ("multi-head", {"n": 1, "N": 3, "heads": 5}, True),
        ("tied-by-map", {"n": 4, "N": 9}, False),
    ],
)
def test_other_sizes(identifier, sizes, expected):
    assert (outcome(family(identifier), sizes).conclusion == "theorem") == expected
    assert family(identifier).where[1](sizes) == expected


def test_a_witness_is_what_it_says():
    for result in OUTCOMES:
        for head in result.heads:
            assert head.M.rank() == result.bounds[2]
            positive, negative, _ = signature(head.S)
            if result.conclusion == "fails":
                assert positive != negative and result.planes is None
            else:
                assert positive == negative == result.planes


def test_every_conclusion_occurs():
    assert {result.conclusion for result in OUTCOMES} == {"theorem", "fewer planes", "fails"}


def test_errors():
    with pytest.raises(HeadformsError, match="no family 'x'; the families: single-head"):
        family("x")
    with pytest.raises(ShapeError, match="family low-rank needs positive sizes n, N, r_k, r_q"):
        outcome(family("low-rank"), {"n": 1, "N": 2})
    with pytest.raises(ShapeError, match="positive sizes"):
        outcome(family("tied"), {"n": 0, "N": 2})


def test_a_wrong_factorisation_is_noticed():
    from dataclasses import replace

    from proofs.families import _bounds

    item = family("tied")
    from sympy import QQ

    from proofs.indeterminates import indeterminate_matrices

    (head,) = item.heads(indeterminate_matrices(over=QQ, Q=(1, 2)), {"n": 1, "N": 2})
    (product,) = head.stacked
    with pytest.raises(InconsistencyError, match="does not multiply out"):
        _bounds(replace(head, stacked=((product[0] * QQ(2), product[1]),)))


def test_scores():
    assert all(score.additivity_failure() is not None for score in NOT_BILINEAR)
    bilinear = Score(id="plain", title="", formula="", remark="", value=lambda x, y: 3 * x * y)
    assert bilinear.additivity_failure() is None


def test_the_table_covers_the_named_families():
    named = {
        "multi-head",
        "grouped-query",
        "rotary",
        "biased",
        "gain-folded",
        "centre-folded",
        "low-rank",
        "latent",
        "tied",
        "big",
    }
    assert named <= {item.id for item in PARAMETRISATIONS}
