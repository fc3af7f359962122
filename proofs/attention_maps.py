"""The maps from the parameters of attention layers to heads (K, Q), polynomial in free matrices.

Where a map runs through a space of smaller dimension its heads carry that factorisation, which bounds ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def pairs(sizes: Sizes, names: list[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """One n × N matrix for each name."""
    return {name: (sizes["n"], sizes["N"]) for pair in names for name in pair}


def one_head(sizes: Sizes) -> dict[str, tuple[int, int]]:
    """K and Q."""
    return pairs(sizes, [("K", "Q")])


def fits(s: Sizes) -> bool:
    """``2n ≤ N``."""
    return 2 * s["n"] <= s["N"]


def plain(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """K and Q as they are."""
    return [FamilyHead(p["K"], p["Q"])]


def multi_head(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """One head for each pair."""
    return [FamilyHead(p[f"K{h}"], p[f"Q{h}"]) for h in range(s["heads"])]


def grouped(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """Several queries for one key matrix."""
    size = s["heads"] // s["groups"]
    return [FamilyHead(p[f"K{h // size}"], p[f"Q{h}"]) for h in range(s["heads"])]


def grouped_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    """A key matrix for each group, a query matrix for each head."""
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


def rotary(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """(K, R^Δ Q) for Δ from −2 to 3."""
    return [FamilyHead(p["K"], _rotation(p["K"], s["n"], s["rotated"], delta) * p["Q"]) for delta in range(-2, 4)]


def biased(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``[K k]`` and ``[Q q]``."""
    return [FamilyHead(p["K"].hstack(p["k"]), p["Q"].hstack(p["q"]))]


def gain(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K diag(g)`` and ``Q diag(g)``."""
    N, domain = s["N"], p["g"].domain
    zero = domain.zero
    rows = [[p["g"][0, i].element if i == j else zero for j in range(N)] for i in range(N)]
    D = DomainMatrix(rows, (N, N), domain)
    return [FamilyHead(p["K"] * D, p["Q"] * D)]


def centred(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``KP`` and ``QP`` with P = I − 11ᵀ/N."""
    # I − 11ᵀ/N = EF through dimension N − 1: its last row is minus the sum of the others.
    N, domain = s["N"], p["K"].domain
    share = domain.convert(QQ(1, N), QQ)
    F_rows = [[(domain.one if i == j else domain.zero) - share for j in range(N)] for i in range(N - 1)]
    F = DomainMatrix(F_rows, (N - 1, N), domain)
    E = _identity(F, N - 1).vstack(_constant(F, [[-1] * (N - 1)]))
    K, Q = p["K"] * E, p["Q"] * E
    return [FamilyHead(K * F, Q * F, stacked=((K.vstack(Q), F),))]


def layer_norm(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K̂ = [K diag(g) (I − 11ᵀ/N), Kβ + k]`` on x̂ = (x, 1), and Q̂ likewise, g the gain and β the shift."""
    (scaled,) = gain(p, s)
    (centre,) = centred({"K": scaled.K, "Q": scaled.Q}, s)
    shifted = [p[name] * p["β"] + p[bias] for name, bias in (("K", "k"), ("Q", "q"))]
    C, B = centre.stacked[0]
    product = (C.hstack(shifted[0].vstack(shifted[1])), _block_diagonal(B, _identity(B, 1)))
    return [FamilyHead(centre.K.hstack(shifted[0]), centre.Q.hstack(shifted[1]), stacked=(product,))]


def factored(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = A_k B_k`` and ``Q = A_q B_q``."""
    key, query = (p["A_k"], p["B_k"]), (p["A_q"], p["B_q"])
    stacked = (_block_diagonal(key[0], query[0]), key[1].vstack(query[1]))
    return [FamilyHead(key[0] * key[1], query[0] * query[1], (key,), (query,), (stacked,))]


def factored_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    """Two factors each."""
    n, N, r_k, r_q = s["n"], s["N"], s["r_k"], s["r_q"]
    return {"A_k": (n, r_k), "B_k": (r_k, N), "A_q": (n, r_q), "B_q": (r_q, N)}


def shared_latent(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = A_k B`` and ``Q = A_q B``."""
    key, query = (p["A_k"], p["B"]), (p["A_q"], p["B"])
    stacked = (p["A_k"].vstack(p["A_q"]), p["B"])
    return [FamilyHead(key[0] * key[1], query[0] * query[1], (key,), (query,), (stacked,))]


def latent(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """Latent attention: contents and positions of keys and queries."""
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


def latent_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    """Its six projections."""
    return {
        "UK": (s["n_c"], s["r_kv"]),
        "DKV": (s["r_kv"], s["N"]),
        "KR": (s["n_r"], s["N"]),
        "UQ": (s["n_c"], s["r_q"]),
        "QR": (s["n_r"], s["r_q"]),
        "DQ": (s["r_q"], s["N"]),
    }


def tied(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = Q``."""
    Q = p["Q"]
    eye = _identity(Q, s["n"])
    return [FamilyHead(Q, Q, stacked=((eye.vstack(eye), Q),))]


def tied_by_map(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = AQ``."""
    A, Q = p["A"], p["Q"]
    return [FamilyHead(A * Q, Q, stacked=((A.vstack(_identity(Q, s["n"])), Q),))]


def adapted_freely(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = K₀ + A_k B_k`` and ``Q = Q₀ + A_q B_q``."""
    return [FamilyHead(p["K0"] + p["A_k"] * p["B_k"], p["Q0"] + p["A_q"] * p["B_q"])]


def adapted(p: Parameters, s: Sizes) -> list[FamilyHead]:
    """``K = Q₀ + A_k B_k`` and ``Q = Q₀ + A_q B_q``."""
    eye, zero = _identity(p["Q0"], s["n"]), _zeros(p["Q0"], s["n"], s["r"])
    K, Q = p["Q0"] + p["A_k"] * p["B_k"], p["Q0"] + p["A_q"] * p["B_q"]
    left = eye.hstack(p["A_k"]).hstack(zero).vstack(eye.hstack(zero).hstack(p["A_q"]))
    right = p["Q0"].vstack(p["B_k"]).vstack(p["B_q"])
    return [FamilyHead(K, Q, stacked=((left, right),))]


def adapter_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    """One base with two adapters."""
    n, N, r = s["n"], s["N"], s["r"]
    return {"Q0": (n, N), "A_k": (n, r), "B_k": (r, N), "A_q": (n, r), "B_q": (r, N)}


def free_adapter_shapes(s: Sizes) -> dict[str, tuple[int, int]]:
    """Two free bases with their adapters."""
    return adapter_shapes(s) | {"K0": (s["n"], s["N"])}
