"""Every law finds a function that breaks it, and says so with the smallest heads."""

import pytest
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

NAME = {"ids": lambda x: getattr(x, "__qualname__", x)}
BY_NAME = {law.name: law for law in (*laws.LAWS, *laws.FORM_LAWS)}


def test_names_are_unique_and_every_law_has_a_function_that_breaks_it():
    assert len(BY_NAME) == len(laws.LAWS) + len(laws.FORM_LAWS)
    assert {name for name, *_ in (*broken.OF_HEADS, *broken.OF_FORMS)} == set(BY_NAME)
    assert {getattr(laws, name) for name in laws.__all__ if isinstance(getattr(laws, name), laws.Law)} == set(laws.LAWS)


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
    lines = str(caught.value).splitlines()
    assert all(line.startswith("it says ") for line in lines[1:])
    assert len(lines) > 1


@pytest.mark.parametrize(("name", "function", "field"), broken.OF_FORMS, **NAME)
def test_a_broken_law_of_forms_is_found(name, function, field):
    with pytest.raises(laws.LawError, match=f"{function.__name__} breaks the law '{name}': "):
        BY_NAME[name](function, field=field)


def test_the_real_index_is_told_from_the_rational_one_by_the_smallest_form():
    with pytest.raises(laws.LawError) as caught:
        laws.decomposition(broken.real_index, field=QQ)
    assert "it says 1 for the form [[1, 0], [0, -2]] over QQ; the law wants 0" in str(caught.value)


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
