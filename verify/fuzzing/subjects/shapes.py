"""Shapes of heads, and families of parametrisations at sizes of theirs."""

from __future__ import annotations

from hypothesis import strategies as st

from proofs.parametrisations import PARAMETRISATIONS
from proofs.statements.big_heads import Shape
from proofs.statements.families import Member
from verify.fuzzing.subjects.kinds import Kind, Size, any_size


def _shapes(size: Size) -> st.SearchStrategy[Shape]:
    return st.builds(Shape, st.sampled_from(size.rows(5)), st.sampled_from(size.columns(9)))


@st.composite
def _members(draw: st.DrawFn, size: Size) -> Member:
    """Any family that has heads of the size; further sizes as its layers have them."""
    rows, columns = size.rows(least=1), size.columns()
    # A rotated plane, or a rotated and a plain row, take two rows; without its mean, width 1 is nothing.
    families = [
        family
        for family in PARAMETRISATIONS
        if not (rows[-1] < 2 and {"rotated", "n_c"} & set(family.sizes[0]))
        and not (columns[-1] < 2 and family.id == "centre-folded")
    ]
    family = draw(st.sampled_from(families))
    needed = family.sizes[0]
    n = draw(st.sampled_from([n for n in rows if n > 1 or not {"rotated", "n_c"} & set(needed)]))
    N = draw(st.sampled_from([N for N in columns if N > 1 or family.id != "centre-folded"]))
    sizes = {name: draw(st.integers(1, 3)) for name in needed if name not in ("n", "N")} | {"n": n, "N": N}
    if "groups" in needed:
        sizes["heads"] = sizes["groups"] * draw(st.integers(1, 2))
    if "rotated" in needed:
        sizes["rotated"] = 2 * draw(st.integers(1, n // 2))
    if "n_c" in needed:
        sizes["n_c"] = draw(st.integers(1, n - 1))
        sizes["n_r"] = n - sizes["n_c"]
    return Member(family.id, tuple((name, sizes[name]) for name in needed))


def _of_member(member: Member) -> tuple[int, int]:
    sizes = dict(member.sizes)
    return sizes["n"], sizes["N"]


SHAPES = Kind(
    "shapes",
    _shapes,
    lambda shape: (shape.n, shape.N),
    "a head dimension n and a width N",
    any_size,
    "none",
)

MEMBERS = Kind(
    "families at given sizes",
    _members,
    _of_member,
    "a head dimension n ≥ 1 and a width N",
    lambda size: size.n != 0,
    "none",
)
