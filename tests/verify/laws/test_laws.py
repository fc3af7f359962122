"""Every law finds a function that breaks it, and says so with the smallest heads."""

import inspect
import pydoc

import numpy as np
import pytest
import torch
from hypothesis import find
from hypothesis.errors import InvalidArgument

import verify
from proofs.fields import GF, QQ, RR, Qp
from proofs.heads import Head
from proofs.inertia import signature
from proofs.spectra import norm_squared, profile
from proofs.witt import witt_index
from tests.verify.fuzzing.wrong import spoilt_by_a_zero
from tests.verify.laws import broken
from verify import laws
from verify.errors import HeadformsError
from verify.fuzzing import QUESTIONS
from verify.fuzzing.calling import CallError
from verify.laws.showing import shown_head
from verify.strategies import float_heads

NAME = {"ids": lambda x: getattr(x, "__qualname__", x)}
BY_NAME = {law.name: law for law in (*laws.LAWS, *laws.FORM_LAWS)}


def test_names_are_unique_and_every_law_has_a_function_that_breaks_it():
    assert len(BY_NAME) == len(laws.LAWS) + len(laws.FORM_LAWS)
    assert {name for name, *_ in (*broken.OF_HEADS, *broken.OF_FORMS)} == set(BY_NAME)
    assert {getattr(laws, name) for name in laws.__all__ if isinstance(getattr(laws, name), laws.Law)} == set(laws.LAWS)


def test_the_name_of_a_law_is_that_of_its_variable():
    held = {name: value for name in laws.__all__ if str(value := getattr(laws, name)) in BY_NAME}
    assert {name: str(law) for name, law in held.items()} == {name: name for name in BY_NAME}
    assert str(laws.certificates) == "certificates"


@pytest.mark.parametrize("law", [*laws.LAWS, *laws.FORM_LAWS, laws.certificates], ids=str)
def test_a_law_says_what_it_states(law):
    first, _, last = inspect.getdoc(law).splitlines()
    assert first == f"The law {law.name} of {law.subject}: {law.statement}."
    assert last == f"Call it on a function to test that; help(laws.{type(law).__name__}) says how."
    assert type(law).__name__ in laws.__all__
    assert law.statement in pydoc.plain(pydoc.render_doc(law)).replace("\n    ", " ")


def test_laws_are_listed_by_repr():
    assert repr(laws.gauge) == (
        "<law gauge of signature, witt, rank, rank-stacked, profile: (AQ, A⁻ᵀK) has the same L = KᵀQ and the same row "
        "space of M for every invertible A>"
    )
    assert repr(laws.of("witt")[0]).startswith("<law truth of witt: the answer is ")
    assert repr(laws.squares) == "<law squares of the Witt index of forms: the Witt index of c²A is that of A>"
    assert repr(laws.certificates).startswith("<law certificates of checkers of records: a record is confirmed if ")


def test_every_question_has_laws():
    for law in laws.LAWS:
        assert set(law.questions) <= set(QUESTIONS)
    for question in QUESTIONS:
        assert laws.of(question)
        assert {law.questions for law in laws.of(question)} == {(question,)}
    with pytest.raises(HeadformsError, match="there is no question 'signatur'; a law is of: signature, "):
        laws.of("signatur")
    with pytest.raises(HeadformsError, match="gauge is no law of the witt, but of: signature"):
        next(law for law in laws.of("signature") if law.name == "gauge")(verify.witt_index, of="witt")


@pytest.mark.parametrize(("name", "question", "function"), broken.OF_HEADS, **NAME)
def test_a_broken_law_is_found(name, question, function):
    with pytest.raises(laws.LawError, match=f"breaks the law '{name}' of the {question}: ") as caught:
        BY_NAME[name](function, of=question, examples=400)
    lines = [line for line in str(caught.value).splitlines() if not line.startswith("the exact answer is ")]
    assert all(line.startswith("it says ") for line in lines[1:])
    assert len(lines) > 1


@pytest.mark.parametrize(("name", "function", "field"), broken.OF_FORMS, **NAME)
def test_a_broken_law_of_forms_is_found(name, function, field):
    with pytest.raises(laws.LawError, match=f"{function.__name__} breaks the law '{name}': "):
        BY_NAME[name](function, field=field)


def test_the_real_index_is_told_from_the_rational_one_by_the_smallest_form():
    with pytest.raises(laws.LawError) as caught:
        laws.decomposition(broken.real_index, field=QQ)
    assert "it says 1 for Form.of([[1, 0], [0, -2]]); the law wants 0" in str(caught.value)


def test_the_smallest_heads_are_shown():
    """One hyperbolic plane and its mirror image."""
    with pytest.raises(laws.LawError) as caught:
        laws.negation(broken.larger_part_first)
    assert str(caught.value).splitlines() == [
        "larger_part_first breaks the law 'negation' of the signature: −L has −S: positive and negative part, c and d, "
        "change places",
        "it says (1, 0) for Q = [[1]], K = [[1]], stored as torch.float64",
        "it says (1, 0) for Q = [[-1]], K = [[1]], stored as torch.float64",
    ]


def said(law, function, **arguments):
    with pytest.raises(laws.LawError) as caught:
        law(function, **arguments)
    return str(caught.value).splitlines()[1:]


def test_the_exact_answer_about_one_head_is_shown():
    assert said(laws.truth, lambda head: tuple(signature(head.S)) if head.n else (1, 0, 0)) == [
        "it says (1, 0, 0) for Q = [], K = [], N = 1, stored as torch.float64",
        "the exact answer is (0, 0, 1)",
    ]
    found, exact = said(laws.soundness, broken.every_head_is_nondegenerate)
    assert found.startswith("it says True for Q = [[")
    assert exact == "the exact answer is False"


def test_shown_heads_are_python_and_exact():
    for stratum in ("huge", "subnormal", "generic"):
        batch = find(float_heads(stratum=stratum, dtype=torch.float64, n=1, N=3), lambda batch: True)
        text = shown_head(batch)
        assert len(text) < 250
        Q, K = (eval(part.split(" = ")[1]) for part in text.removesuffix(", stored as torch.float64").split(", K"))
        assert (Q, K) == (batch.Q[0].tolist(), batch.K[0].tolist())


def test_what_raises_breaks_a_law():
    def fragile(Q, K):
        if not Q.any():
            raise ZeroDivisionError("Q is zero")
        return 1, 1

    with pytest.raises(laws.LawError, match="it says raised ZeroDivisionError: Q is zero for Q = "):
        laws.swap(fragile)


def none_without_form(head):
    """The profile as our records have it."""
    return None if norm_squared(head.L) == 0 else tuple(map(float, profile(head.L).components()))


def raises_without_form(head):
    answer = none_without_form(head)
    if answer is None:
        raise ValueError("L = 0 has no profile")
    return answer


def none_in_a_batch(batch):
    return [row if row[0] == row[0] else None for row in verify.profile(batch).tolist()]


def raises_for_a_batch(batch):
    rows = verify.profile(batch)
    if bool(rows.isnan().any()):
        raise ValueError("L = 0 has no profile")
    return rows


@pytest.mark.parametrize("law", laws.of("profile"), ids=str)
@pytest.mark.parametrize(
    "function", [none_without_form, raises_without_form, none_in_a_batch, raises_for_a_batch], **NAME
)
def test_a_profile_may_be_missing_where_there_is_none(law, function):
    law(function, examples=60)


@pytest.mark.parametrize("missing", [None, "text"])
def test_a_missing_answer_breaks_a_law(missing):
    with pytest.raises(laws.LawError, match="it says (None|no answer: 'text' is not a sequence of numbers) for Q = "):
        laws.swap(lambda Q, K: (1, 1) if Q.any() else missing)


def test_the_law_of_batching():
    with pytest.raises(laws.LawError) as caught:
        laws.batching(broken.first_of_the_batch)
    first, *lines = str(caught.value).splitlines()
    assert "breaks the law 'batching' of the signature: the answer for a head does not depend on what else is" in first
    assert len(lines) == 4
    assert not any(line.endswith(", in one batch with the others") for line in lines[:2])
    assert all(line.endswith(", in one batch with the others") for line in lines[2:])
    with pytest.raises(laws.LawError, match="it says raised ValueError: a head is zero for .* in one batch with"):
        laws.batching(spoilt_by_a_zero)
    seen = []
    laws.batching(lambda Q, K: seen.append(Q) or (0, 0), convention="numpy")  # takes one head: nothing to test
    assert len(seen) == 1


def test_proofs_in_a_batch_may_be_missing_but_not_false():
    def careful(batch):
        return [v.verdict == "proved" and batch.heads == 1 for v in verify.prove(batch)]

    laws.batching(careful, of="proof", examples=40)


def test_what_raises_breaks_a_law_of_forms():
    def fragile(form):
        return witt_index(form) // form.rank

    with pytest.raises(laws.LawError) as caught:
        laws.radical(fragile, field=GF(5))
    assert str(caught.value).splitlines()[1:] == [
        "it raised ZeroDivisionError: integer division or modulo by zero for Form.of([], field=GF(5))"
    ]
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda form: None, r"returned the wrong kind of thing: None is not an integer, for Form.of\(\[\]\); for a "),
        (
            lambda form: "a",
            "'a' is not an integer, .* for a proofs.forms.Form it must return an integer, its Witt index",
        ),
        (lambda form: True, "True is not an integer"),
        (lambda form: 1.5, "1.5 is not an integer"),
        (lambda form: witt_index(form) if form.dimension < 2 else None, "None is not an integer, for Form.of"),
        (lambda form, place: 0, "could not be called: missing a required argument: 'place'; it is given one argument"),
        (lambda: 0, "could not be called: too many positional arguments; it is given one argument, a proofs.forms.F"),
        (3, "int object could not be called: 3 is not a callable object"),
    ],
)
def test_functions_of_forms_that_cannot_be_tested(function, message):
    with pytest.raises(CallError, match=message):
        laws.planes(function, field=QQ)


def test_functions_of_forms_may_be_numpys_or_without_a_signature():
    laws.planes(lambda form: np.int64(witt_index(form)), examples=20)
    with pytest.raises(laws.LawError, match="it raised TypeError: "):
        laws.planes(min)


def test_one_error_of_several_is_raised():
    def twice_wrong(form):
        if form.rank < form.dimension:
            raise ValueError("singular")
        return 0 if form.dimension < 4 else "many"

    with pytest.raises(HeadformsError) as caught:
        laws.planes(twice_wrong)
    assert isinstance(caught.value, (CallError, laws.LawError))


def test_functions_that_cannot_be_tested():
    with pytest.raises(CallError, match="returned the wrong kind of thing"):
        laws.gauge(lambda Q, K: "two")
    with pytest.raises(HeadformsError, match="simplex is no law of the signature, but of: profile"):
        laws.simplex(verify.inertia, of="signature")
    with pytest.raises(HeadformsError, match="gauge is no law of the x, but of: signature, witt"):
        laws.gauge(verify.inertia, of="x")


def test_fields_of_form_laws():
    seen = set()

    def spy(form):
        seen.add(form.field)
        return witt_index(form)

    for field in (QQ, RR, GF(5), Qp(3)):
        seen.clear()
        laws.congruence(spy, field=field)
        assert seen == {field}
    with pytest.raises(InvalidArgument, match="field=3 is not a field; pass QQ, RR, GF"):
        laws.decomposition(witt_index, field=3)


def test_a_convention_can_be_given():
    seen = []

    def function(head):
        seen.append(head)
        return tuple(signature(head.S))

    laws.swap(function, convention="Head")
    assert isinstance(seen[0], Head)
