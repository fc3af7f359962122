"""How attention layers parametrise their heads: the table of families.

Each :class:`Parametrisation` names its free matrices and says how a layer's heads arise from them, by a map of
:mod:`proofs.attention_maps`; :mod:`proofs.families` decides which of them obey the theorem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from proofs.attention_maps import (
    FamilyHead,
    Parameters,
    Sizes,
    adapted,
    adapted_freely,
    adapter_shapes,
    biased,
    centred,
    factored,
    factored_shapes,
    fits,
    free_adapter_shapes,
    gain,
    grouped,
    grouped_shapes,
    latent,
    latent_shapes,
    layer_norm,
    multi_head,
    one_head,
    pairs,
    plain,
    rotary,
    shared_latent,
    tied,
    tied_by_map,
)


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


_SMALL = ({"n": 1, "N": 2}, {"n": 1, "N": 3}, {"n": 2, "N": 5})

PARAMETRISATIONS: tuple[Parametrisation, ...] = (
    Parametrisation(
        id="single-head",
        title="one head",
        map="K, Q free",
        where=("2n ≤ N", fits),
        sizes=(*_SMALL, {"n": 2, "N": 4}),
        shapes=one_head,
        heads=plain,
    ),
    Parametrisation(
        id="multi-head",
        title="multi-head attention, all heads at once",
        map="K_h, Q_h free",
        where=("2n ≤ N", fits),
        sizes=({"n": 1, "N": 2, "heads": 2}, {"n": 2, "N": 5, "heads": 3}, {"n": 2, "N": 3, "heads": 2}),
        shapes=lambda s: pairs(s, [(f"K{h}", f"Q{h}") for h in range(s["heads"])]),
        heads=multi_head,
    ),
    Parametrisation(
        id="grouped-query",
        title="grouped-query attention, all pairs at once",
        map="K_g free, shared by the Q_h of its group",
        where=("2n ≤ N", fits),
        sizes=(
            {"n": 1, "N": 2, "heads": 4, "groups": 2},
            {"n": 2, "N": 4, "heads": 4, "groups": 1},
            {"n": 2, "N": 3, "heads": 2, "groups": 1},
        ),
        shapes=grouped_shapes,
        heads=grouped,
    ),
    Parametrisation(
        id="rotary",
        title="rotary embedding, every relative position",
        map="(R^Δ Q, K), R orthogonal on the first rotated coordinates",
        where=("2n ≤ N", fits),
        sizes=({"n": 2, "N": 4, "rotated": 2}, {"n": 3, "N": 7, "rotated": 2}, {"n": 2, "N": 3, "rotated": 2}),
        shapes=one_head,
        heads=rotary,
    ),
    Parametrisation(
        id="biased",
        title="biases, homogenised to width N + 1",
        map="[K k], [Q q]",
        where=("2n ≤ N + 1", lambda s: 2 * s["n"] <= s["N"] + 1),
        sizes=({"n": 1, "N": 1}, {"n": 2, "N": 3}, {"n": 2, "N": 6}, {"n": 2, "N": 2}),
        shapes=lambda s: one_head(s) | {"k": (s["n"], 1), "q": (s["n"], 1)},
        heads=biased,
    ),
    Parametrisation(
        id="gain-folded",
        title="normalisation gains folded in",
        map="K diag(g), Q diag(g)",
        where=("2n ≤ N", fits),
        sizes=(*_SMALL, {"n": 2, "N": 3}),
        shapes=lambda s: one_head(s) | {"g": (1, s["N"])},
        heads=gain,
    ),
    Parametrisation(
        id="centre-folded",
        title="LayerNorm's mean removal folded in",
        map="KP, QP with P = I − 11ᵀ/N",
        where=("2n ≤ N − 1", lambda s: 2 * s["n"] <= s["N"] - 1),
        sizes=({"n": 1, "N": 3}, {"n": 2, "N": 5}, {"n": 1, "N": 2}, {"n": 2, "N": 4}),
        shapes=one_head,
        heads=centred,
    ),
    Parametrisation(
        id="layer-norm-folded",
        title="LayerNorm with gain and shift folded in, with biases",
        map="[K diag(g) P, Kβ + k], [Q diag(g) P, Qβ + q]",
        where=("2n ≤ N", fits),
        sizes=({"n": 1, "N": 2}, {"n": 2, "N": 4}, {"n": 2, "N": 6}, {"n": 2, "N": 3}),
        shapes=lambda s: one_head(s) | {"g": (1, s["N"]), "β": (s["N"], 1), "k": (s["n"], 1), "q": (s["n"], 1)},
        heads=layer_norm,
    ),
    Parametrisation(
        id="low-rank",
        title="low-rank factored projections",
        map="K = A_k B_k, Q = A_q B_q through ranks r_k, r_q",
        where=("2n ≤ N and r_k, r_q ≥ n", lambda s: fits(s) and min(s["r_k"], s["r_q"]) >= s["n"]),
        sizes=(
            {"n": 2, "N": 5, "r_k": 2, "r_q": 3},
            {"n": 2, "N": 5, "r_k": 1, "r_q": 1},
            {"n": 3, "N": 6, "r_k": 1, "r_q": 2},
            {"n": 2, "N": 3, "r_k": 2, "r_q": 2},
        ),
        shapes=factored_shapes,
        heads=factored,
    ),
    Parametrisation(
        id="shared-latent",
        title="keys and queries from one latent",
        map="K = A_k B, Q = A_q B through rank r",
        where=("2n ≤ min(N, r)", lambda s: 2 * s["n"] <= min(s["N"], s["r"])),
        sizes=({"n": 2, "N": 6, "r": 5}, {"n": 2, "N": 6, "r": 3}, {"n": 2, "N": 6, "r": 1}, {"n": 2, "N": 3, "r": 5}),
        shapes=lambda s: {"A_k": (s["n"], s["r"]), "A_q": (s["n"], s["r"]), "B": (s["r"], s["N"])},
        heads=shared_latent,
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
            {"n": 2, "N": 3, "n_c": 1, "n_r": 1, "r_kv": 2, "r_q": 3},
        ),
        shapes=latent_shapes,
        heads=latent,
    ),
    Parametrisation(
        id="adapter",
        title="low-rank adapters merged",
        map="K = K₀ + A_k B_k, Q = Q₀ + A_q B_q, adapters of rank r",
        where=("2n ≤ N", fits),
        sizes=({"n": 2, "N": 5, "r": 1}, {"n": 2, "N": 4, "r": 2}, {"n": 2, "N": 3, "r": 1}),
        shapes=free_adapter_shapes,
        heads=adapted_freely,
    ),
    Parametrisation(
        id="adapter-on-tied",
        title="low-rank adapters merged into tied weights",
        map="K = Q₀ + A_k B_k, Q = Q₀ + A_q B_q, adapters of rank r",
        where=("2n ≤ N and 2r ≥ n", lambda s: fits(s) and 2 * s["r"] >= s["n"]),
        sizes=({"n": 2, "N": 5, "r": 1}, {"n": 2, "N": 5, "r": 2}, {"n": 3, "N": 7, "r": 1}, {"n": 2, "N": 3, "r": 2}),
        shapes=adapter_shapes,
        heads=adapted,
    ),
    Parametrisation(
        id="tied",
        title="tied weights",
        map="K = Q",
        where=("never", lambda s: False),
        sizes=({"n": 1, "N": 2}, {"n": 2, "N": 5}, {"n": 3, "N": 7}),
        shapes=lambda s: {"Q": (s["n"], s["N"])},
        heads=tied,
    ),
    Parametrisation(
        id="tied-by-map",
        title="weights tied by a linear map",
        map="K = AQ",
        where=("never", lambda s: False),
        sizes=({"n": 1, "N": 2}, {"n": 2, "N": 5}, {"n": 3, "N": 7}),
        shapes=lambda s: {"A": (s["n"], s["n"]), "Q": (s["n"], s["N"])},
        heads=tied_by_map,
    ),
    Parametrisation(
        id="big",
        title="big heads",
        map="K, Q free, 2n > N",
        where=("2n ≤ N", fits),
        sizes=({"n": 1, "N": 1}, {"n": 2, "N": 2}, {"n": 2, "N": 3}, {"n": 3, "N": 4}),
        shapes=one_head,
        heads=plain,
    ),
)
