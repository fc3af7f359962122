"""How attention layers parametrise their heads: polynomial maps from free parameters to pairs (K, Q).

Each :class:`Parametrisation` names its free matrices and says how a layer's heads arise from them. Where a map runs
through a space of smaller dimension it also gives that factorisation, from which :mod:`proofs.families` proves bounds
on the ranks of K, Q and M.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

#: The numbers that fix the shapes: n, N and what else a family needs.
Sizes: TypeAlias = Mapping[str, int]

#: The free matrices by name.
Parameters: TypeAlias = Mapping[str, DomainMatrix]

#: A product C · B.
Product: TypeAlias = tuple[DomainMatrix, DomainMatrix]


@dataclass(frozen=True)
class FamilyHead:
    """One head of a layer, polynomial in the parameters.

    Args:
        K, Q: n × W; the width W is N, or N + 1 for a homogenised head.
        key, query, stacked: factorisations of K, Q and ``M = [K; Q]``, where the map runs through a smaller space.
    """

    K: DomainMatrix
    Q: DomainMatrix
    key: tuple[Product, ...] = ()
    query: tuple[Product, ...] = ()
    stacked: tuple[Product, ...] = ()


@dataclass(frozen=True)
class Parametrisation:
    """A family of heads.

    Args:
        id: short, in kebab case.
        title: what it is called.
        map: how K and Q arise, for the reader.
        where: the sizes for which the theorem holds on a dense open set, for the reader and as a predicate.
        sizes: those the family is checked at, on both sides of the border.
        shapes: the free matrices.
        heads: the heads of one layer.
    """

    id: str
    title: str
    map: str
    where: tuple[str, Callable[[Sizes], bool]]
    sizes: tuple[Sizes, ...]
    shapes: Callable[[Sizes], dict[str, tuple[int, int]]]
    heads: Callable[[Parameters, Sizes], list[FamilyHead]]


def _constant(like: DomainMatrix, rows: list[list[int]]) -> DomainMatrix:
    """A matrix of integers over the ring of another matrix."""
    domain = like.domain
    return DomainMatrix([[domain(x) for x in row] for row in rows], (len(rows), len(rows[0])), domain)


def _identity(like: DomainMatrix, size: int) -> DomainMatrix:
    return DomainMatrix.eye(size, like.domain).to_dense()


def _zeros(like: DomainMatrix, rows: int, columns: int) -> DomainMatrix:
    return DomainMatrix.zeros((rows, columns), like.domain).to_dense()


def _block_diagonal(upper: DomainMatrix, lower: DomainMatrix) -> DomainMatrix:
    (a, b), (c, d) = upper.shape, lower.shape
    return upper.hstack(_zeros(upper, a, d)).vstack(_zeros(upper, c, b).hstack(lower))


def _pairs(sizes: Sizes, names: list[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    return {name: (sizes["n"], sizes["N"]) for pair in names for name in pair}


def _one_head(sizes: Sizes) -> dict[str, tuple[int, int]]:
    return _pairs(sizes, [("K", "Q")])


def _fits(s: Sizes) -> bool:
    return 2 * s["n"] <= s["N"]


def _plain(p: Parameters, s: Sizes) -> list[FamilyHead]:
    return [FamilyHead(p["K"], p["Q"])]


def _multi_head(p: Parameters, s: Sizes) -> list[FamilyHead]:
    return [FamilyHead(p[f"K{h}"], p[f"Q{h}"]) for h in range(s["heads"])]


def _grouped(p: Parameters, s: Sizes) -> list[FamilyHead]:
    size = s["heads"] // s["groups"]
    return [FamilyHead(p[f"K{h // size}"], p[f"Q{h}"]) for h in range(s["heads"])]


def _grouped_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    shape = (s["n"], s["N"])
    return {f"K{g}": shape for g in range(s["groups"])} | {f"Q{h}": shape for h in range(s["heads"])}


def _rotation(like: DomainMatrix, n: int, rotated: int, delta: int) -> DomainMatrix:
    """Rotations by delta times the angle of (3/5, 4/5), in planes of the first ``rotated`` coordinates."""
    c, s = QQ(3, 5), QQ(4, 5)
    x, y = QQ(1), QQ(0)
    for _ in range(abs(delta)):
        x, y = c * x - s * y, s * x + c * y
    y = y if delta >= 0 else -y
    rows = [[QQ(int(i == j)) for j in range(n)] for i in range(n)]
    for i in range(0, rotated - 1, 2):
        rows[i][i] = rows[i + 1][i + 1] = x
        rows[i + 1][i], rows[i][i + 1] = y, -y
    domain = like.domain
    return DomainMatrix([[domain.convert(v, QQ) for v in row] for row in rows], (n, n), domain)


def _rotary(p: Parameters, s: Sizes) -> list[FamilyHead]:
    return [FamilyHead(p["K"], _rotation(p["K"], s["n"], s["rotated"], delta) * p["Q"]) for delta in range(-2, 4)]


def _biased(p: Parameters, s: Sizes) -> list[FamilyHead]:
    return [FamilyHead(p["K"].hstack(p["k"]), p["Q"].hstack(p["q"]))]


def _gain(p: Parameters, s: Sizes) -> list[FamilyHead]:
    N, domain = s["N"], p["g"].domain
    zero = domain.zero
    rows = [[p["g"][0, i].element if i == j else zero for j in range(N)] for i in range(N)]
    D = DomainMatrix(rows, (N, N), domain)
    return [FamilyHead(p["K"] * D, p["Q"] * D)]


def _centred(p: Parameters, s: Sizes) -> list[FamilyHead]:
    # I − 11ᵀ/N = EF through dimension N − 1: its last row is minus the sum of the others.
    N, domain = s["N"], p["K"].domain
    share = domain.convert(QQ(1, N), QQ)
    F_rows = [[(domain.one if i == j else domain.zero) - share for j in range(N)] for i in range(N - 1)]
    F = DomainMatrix(F_rows, (N - 1, N), domain)
    E = _identity(F, N - 1).vstack(_constant(F, [[-1] * (N - 1)]))
    K, Q = p["K"] * E, p["Q"] * E
    return [FamilyHead(K * F, Q * F, stacked=((K.vstack(Q), F),))]


def _factored(p: Parameters, s: Sizes) -> list[FamilyHead]:
    key, query = (p["A_k"], p["B_k"]), (p["A_q"], p["B_q"])
    stacked = (_block_diagonal(key[0], query[0]), key[1].vstack(query[1]))
    return [FamilyHead(key[0] * key[1], query[0] * query[1], (key,), (query,), (stacked,))]


def _factored_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    n, N, r_k, r_q = s["n"], s["N"], s["r_k"], s["r_q"]
    return {"A_k": (n, r_k), "B_k": (r_k, N), "A_q": (n, r_q), "B_q": (r_q, N)}


def _shared_latent(p: Parameters, s: Sizes) -> list[FamilyHead]:
    key, query = (p["A_k"], p["B"]), (p["A_q"], p["B"])
    stacked = (p["A_k"].vstack(p["A_q"]), p["B"])
    return [FamilyHead(key[0] * key[1], query[0] * query[1], (key,), (query,), (stacked,))]


def _latent(p: Parameters, s: Sizes) -> list[FamilyHead]:
    # K: a content part through the key latent above a position part of the stream itself; Q through its own latent.
    content = p["UK"] * p["DKV"]
    K = content.vstack(p["KR"])
    key = (_block_diagonal(p["UK"], _identity(K, s["n_r"])), p["DKV"].vstack(p["KR"]))
    up = p["UQ"].vstack(p["QR"])
    query = (up, p["DQ"])
    stacked = (_block_diagonal(key[0], up), key[1].vstack(p["DQ"]))
    half = (_block_diagonal(key[0], _identity(K, s["n_c"] + s["n_r"])), key[1].vstack(up * p["DQ"]))
    other = (_block_diagonal(_identity(K, s["n_c"] + s["n_r"]), up), K.vstack(p["DQ"]))
    return [FamilyHead(K, up * p["DQ"], (key,), (query,), (stacked, half, other))]


def _latent_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    return {
        "UK": (s["n_c"], s["r_kv"]),
        "DKV": (s["r_kv"], s["N"]),
        "KR": (s["n_r"], s["N"]),
        "UQ": (s["n_c"], s["r_q"]),
        "QR": (s["n_r"], s["r_q"]),
        "DQ": (s["r_q"], s["N"]),
    }


def _tied(p: Parameters, s: Sizes) -> list[FamilyHead]:
    Q = p["Q"]
    eye = _identity(Q, s["n"])
    return [FamilyHead(Q, Q, stacked=((eye.vstack(eye), Q),))]


def _tied_by_map(p: Parameters, s: Sizes) -> list[FamilyHead]:
    A, Q = p["A"], p["Q"]
    return [FamilyHead(A * Q, Q, stacked=((A.vstack(_identity(Q, s["n"])), Q),))]


def _adapted(p: Parameters, s: Sizes) -> list[FamilyHead]:
    eye, zero = _identity(p["Q0"], s["n"]), _zeros(p["Q0"], s["n"], s["r"])
    K, Q = p["Q0"] + p["A_k"] * p["B_k"], p["Q0"] + p["A_q"] * p["B_q"]
    left = eye.hstack(p["A_k"]).hstack(zero).vstack(eye.hstack(zero).hstack(p["A_q"]))
    right = p["Q0"].vstack(p["B_k"]).vstack(p["B_q"])
    return [FamilyHead(K, Q, stacked=((left, right),))]


def _adapter_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    n, N, r = s["n"], s["N"], s["r"]
    return {"Q0": (n, N), "A_k": (n, r), "B_k": (r, N), "A_q": (n, r), "B_q": (r, N)}


_SMALL = ({"n": 1, "N": 2}, {"n": 1, "N": 3}, {"n": 2, "N": 5})

PARAMETRISATIONS: tuple[Parametrisation, ...] = (
    Parametrisation(
        id="single-head",
        title="one head",
        map="K, Q free",
        where=("2n ≤ N", _fits),
        sizes=(*_SMALL, {"n": 2, "N": 4}),
        shapes=_one_head,
        heads=_plain,
    ),
    Parametrisation(
        id="multi-head",
        title="multi-head attention, all heads at once",
        map="K_h, Q_h free",
        where=("2n ≤ N", _fits),
        sizes=({"n": 1, "N": 2, "heads": 2}, {"n": 2, "N": 5, "heads": 3}, {"n": 2, "N": 3, "heads": 2}),
        shapes=lambda s: _pairs(s, [(f"K{h}", f"Q{h}") for h in range(s["heads"])]),
        heads=_multi_head,
    ),
    Parametrisation(
        id="grouped-query",
        title="grouped-query attention, all pairs at once",
        map="K_g free, shared by the Q_h of its group",
        where=("2n ≤ N", _fits),
        sizes=(
            {"n": 1, "N": 2, "heads": 4, "groups": 2},
            {"n": 2, "N": 4, "heads": 4, "groups": 1},
            {"n": 2, "N": 3, "heads": 2, "groups": 1},
        ),
        shapes=_grouped_shapes,
        heads=_grouped,
    ),
    Parametrisation(
        id="rotary",
        title="rotary embedding, every relative position",
        map="(R^Δ Q, K), R orthogonal on the first rotated coordinates",
        where=("2n ≤ N", _fits),
        sizes=({"n": 2, "N": 4, "rotated": 2}, {"n": 3, "N": 7, "rotated": 2}, {"n": 2, "N": 3, "rotated": 2}),
        shapes=_one_head,
        heads=_rotary,
    ),
    Parametrisation(
        id="biased",
        title="biases, homogenised to width N + 1",
        map="[K k], [Q q]",
        where=("2n ≤ N + 1", lambda s: 2 * s["n"] <= s["N"] + 1),
        sizes=({"n": 1, "N": 1}, {"n": 2, "N": 3}, {"n": 2, "N": 6}, {"n": 2, "N": 2}),
        shapes=lambda s: _one_head(s) | {"k": (s["n"], 1), "q": (s["n"], 1)},
        heads=_biased,
    ),
    Parametrisation(
        id="gain-folded",
        title="normalisation gains folded in",
        map="K diag(g), Q diag(g)",
        where=("2n ≤ N", _fits),
        sizes=(*_SMALL, {"n": 2, "N": 3}),
        shapes=lambda s: _one_head(s) | {"g": (1, s["N"])},
        heads=_gain,
    ),
    Parametrisation(
        id="centre-folded",
        title="LayerNorm's mean removal folded in",
        map="KP, QP with P = I − 11ᵀ/N",
        where=("2n ≤ N − 1", lambda s: 2 * s["n"] <= s["N"] - 1),
        sizes=({"n": 1, "N": 3}, {"n": 2, "N": 5}, {"n": 1, "N": 2}, {"n": 2, "N": 4}),
        shapes=_one_head,
        heads=_centred,
    ),
    Parametrisation(
        id="low-rank",
        title="low-rank factored projections",
        map="K = A_k B_k, Q = A_q B_q through ranks r_k, r_q",
        where=("2n ≤ N and r_k, r_q ≥ n", lambda s: _fits(s) and min(s["r_k"], s["r_q"]) >= s["n"]),
        sizes=(
            {"n": 2, "N": 5, "r_k": 2, "r_q": 3},
            {"n": 2, "N": 5, "r_k": 1, "r_q": 1},
            {"n": 3, "N": 6, "r_k": 1, "r_q": 2},
        ),
        shapes=_factored_shapes,
        heads=_factored,
    ),
    Parametrisation(
        id="shared-latent",
        title="keys and queries from one latent",
        map="K = A_k B, Q = A_q B through rank r",
        where=("2n ≤ min(N, r)", lambda s: 2 * s["n"] <= min(s["N"], s["r"])),
        sizes=({"n": 2, "N": 6, "r": 5}, {"n": 2, "N": 6, "r": 3}, {"n": 2, "N": 6, "r": 1}),
        shapes=lambda s: {"A_k": (s["n"], s["r"]), "A_q": (s["n"], s["r"]), "B": (s["r"], s["N"])},
        heads=_shared_latent,
    ),
    Parametrisation(
        id="latent",
        title="multi-head latent attention",
        map="K = [U_K D_KV; K_R], Q = [U_Q; Q_R] D_Q, n = n_c + n_r",
        where=(
            "2n ≤ N, r_kv ≥ n_c, r_q ≥ n",
            lambda s: 2 * (s["n_c"] + s["n_r"]) <= s["N"] and s["r_kv"] >= s["n_c"] and s["r_q"] >= s["n_c"] + s["n_r"],
        ),
        sizes=(
            {"n": 2, "N": 5, "n_c": 1, "n_r": 1, "r_kv": 2, "r_q": 3},
            {"n": 3, "N": 7, "n_c": 2, "n_r": 1, "r_kv": 1, "r_q": 3},
            {"n": 3, "N": 7, "n_c": 2, "n_r": 1, "r_kv": 2, "r_q": 2},
        ),
        shapes=_latent_shapes,
        heads=_latent,
    ),
    Parametrisation(
        id="adapter-on-tied",
        title="low-rank adapters merged into tied weights",
        map="K = Q₀ + A_k B_k, Q = Q₀ + A_q B_q, adapters of rank r",
        where=("2n ≤ N and 2r ≥ n", lambda s: _fits(s) and 2 * s["r"] >= s["n"]),
        sizes=({"n": 2, "N": 5, "r": 1}, {"n": 2, "N": 5, "r": 2}, {"n": 3, "N": 7, "r": 1}),
        shapes=_adapter_shapes,
        heads=_adapted,
    ),
    Parametrisation(
        id="tied",
        title="tied weights",
        map="K = Q",
        where=("never", lambda s: False),
        sizes=({"n": 1, "N": 2}, {"n": 2, "N": 5}, {"n": 3, "N": 7}),
        shapes=lambda s: {"Q": (s["n"], s["N"])},
        heads=_tied,
    ),
    Parametrisation(
        id="tied-by-map",
        title="weights tied by a linear map",
        map="K = AQ",
        where=("never", lambda s: False),
        sizes=({"n": 1, "N": 2}, {"n": 2, "N": 5}, {"n": 3, "N": 7}),
        shapes=lambda s: {"A": (s["n"], s["n"]), "Q": (s["n"], s["N"])},
        heads=_tied_by_map,
    ),
    Parametrisation(
        id="big",
        title="big heads",
        map="K, Q free, 2n > N",
        where=("2n ≤ N", _fits),
        sizes=({"n": 1, "N": 1}, {"n": 2, "N": 2}, {"n": 2, "N": 3}, {"n": 3, "N": 4}),
        shapes=_one_head,
        heads=_plain,
    ),
)
