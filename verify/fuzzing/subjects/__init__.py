"""Strategies for the subjects of statements, one kind a class: heads, and heads with a gauge, a move, a certificate …

Each covers both sides of the hypotheses of the statements it serves, by construction where a side is thin: a random
head never has norm exactly 1, so heads of norm 1 are built from rational points of a sphere. Nothing is taken from
the counterexamples that statements have registered.

To add a kind, write a strategy in the module it belongs to and a row of :data:`KINDS`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import QQ, Field
from proofs.heads import Head
from proofs.pencils import Pencil
from proofs.statements import Statement
from proofs.statements.annihilator import Annihilated
from proofs.statements.big_heads import Shape
from proofs.statements.certificate import Certificate
from proofs.statements.coordinates import Moved
from proofs.statements.definition_6 import Move
from proofs.statements.distance import Approach
from proofs.statements.factor_lemma import Factorisation
from proofs.statements.families import Member
from proofs.statements.finite_laws import RandomForm, RandomHead
from proofs.statements.gauge import Gauge
from proofs.statements.lemma_1 import TwoGroups
from proofs.statements.lemma_3 import BoundedForm
from proofs.statements.lemma_9 import Rotated
from proofs.statements.lobe_laws import Lobes
from proofs.statements.proposition_1 import Displacements
from proofs.statements.proposition_2 import Block
from proofs.statements.proposition_3 import Attention
from proofs.statements.unit_spectra import PairedSpectrum
from verify.errors import FieldError, HeadformsError, ShapeError
from verify.fuzzing.subjects import attention, laws, pairs, shapes, single, spectra
from verify.fuzzing.subjects.kinds import Kind, Size

__all__ = ["KINDS", "Kind", "Size", "check_size", "kind_of", "subjects"]

#: Class → how its members are drawn.
KINDS: dict[type[Any], Kind] = {
    Head: single.HEADS,
    BoundedForm: single.BOUNDED_FORMS,
    Gauge: pairs.GAUGES,
    Move: pairs.MOVES,
    Moved: pairs.MOVED,
    Factorisation: pairs.FACTORISATIONS,
    Annihilated: pairs.ANNIHILATED,
    Approach: pairs.APPROACHES,
    Pencil: pairs.PENCILS,
    Certificate: pairs.CERTIFICATES,
    PairedSpectrum: spectra.PAIRED,
    Rotated: spectra.ROTATED,
    RandomForm: laws.RANDOM_FORMS,
    RandomHead: laws.RANDOM_HEADS,
    Lobes: laws.LOBES,
    Displacements: attention.DISPLACEMENTS,
    Block: attention.BLOCKS,
    Attention: attention.ATTENTIONS,
    TwoGroups: attention.POLYNOMIALS,
    Shape: shapes.SHAPES,
    Member: shapes.MEMBERS,
}


def kind_of(statement: Statement[Any]) -> Kind:
    """How the subjects of a statement are drawn.

    Raises:
        HeadformsError: nobody has said how.
    """
    if statement.subject not in KINDS:
        name = statement.subject.__name__
        raise HeadformsError(f"there is no strategy for {name}, the subjects of {statement.id}; add it to {__name__}")
    return KINDS[statement.subject]


def check_size(statement: Statement[Any], size: Size) -> None:
    """Refuse a field or a size that the subjects of a statement do not have.

    Raises:
        FieldError: the field.
        ShapeError: the head dimension or the width.

    >>> from proofs.fields import GF
    >>> from proofs.statements import statement
    >>> check_size(statement("lemma-7"), Size(field=GF(3)))
    Traceback (most recent call last):
    proofs.errors.FieldError: lemma-7 is about spectra over QQ; found GF(3)
    """
    kind, found = kind_of(statement), size.field
    if found is not None and kind.ground == "none":
        raise FieldError(f"{statement.id} is about {kind.words}, which have no field; leave out {found}")
    # A claim about norms or eigenvalues has no meaning over a finite field, for whichever head.
    over_all = kind.ground == "any" and (statement.subject is not Head or statement.concerns(_plain_head(size.ground)))
    if not (over_all or found in (None, QQ)):
        raise FieldError(f"{statement.id} is about {kind.words} over QQ; found {found}")
    if not kind.within(size):
        wanted = ", ".join(f"{x} = {value}" for x, value in (("n", size.n), ("N", size.N)) if value is not None)
        raise ShapeError(f"{statement.id} is about {kind.words}, which have {kind.sizes}; found {wanted}")


def _plain_head(field: Field) -> Head:
    return Head.of([[1, 0]], [[0, 1]], field=field)


def _home(subject: Any) -> Field:
    owner = getattr(subject, "head", getattr(subject, "base", subject))
    field: Field = getattr(owner, "field", QQ)
    return field


def _fields(statement: Statement[Any]) -> tuple[Field, ...]:
    """ℚ, and where a hypothesis fails over another field only, that field."""
    homes = [_home(h.counterexample()) for h in statement.hypotheses]
    return (QQ, *dict.fromkeys(field for field in homes if field != QQ))


def subjects(statement: Statement[Any], size: Size) -> SearchStrategy[Any]:
    """A strategy of subjects of a statement, whether or not they satisfy its hypotheses.

    Raises:
        FieldError: they do not exist over the field.
        ShapeError: they have no such size.
    """
    check_size(statement, size)
    draw = kind_of(statement).draw
    fields = _fields(statement) if size.field is None else (size.field,)
    return st.one_of([draw(replace(size, field=field)) for field in fields])
