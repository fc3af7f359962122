"""Mutants: small plausible mistakes in what verdicts, profiles and layouts rest on, and the tests that must see them.

Each is one replacement in one file. Where none of the tests can see the difference, the reason stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A mistake.

    Attributes:
        area: inertia, certificates, profile, witt or layouts.
        file: from the root of the project.
        old: text that stands there once.
        new: what it is replaced by.
        tests: arguments of pytest.
        survives: why no test fails, for a mutant that changes nothing that is claimed; empty for all others.
    """

    area: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    survives: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.old.strip()} → {self.new.strip() or 'nothing'}"


_T = "tests/"
_LAWS = f"{_T}verify/laws/test_ours.py"
INERTIA = tuple(
    f"{_T}{name}"
    for name in (
        "proofs/test_inertia.py",
        "verify/test_gram.py",
        "verify/test_rounding.py",
        "verify/test_signature.py",
        "verify/test_measurements.py",
        "verify/test_verdicts.py",
        "proofs/test_decomposition.py",
        "proofs/test_lemmas.py",
        "verify/laws/test_ours.py",
    )
)
CERTIFICATES = tuple(
    f"{_T}verify/{name}" for name in ("test_dyadic.py", "test_certificates.py", "test_checking.py", "test_verdicts.py")
)
PROFILE = (f"{_T}verify/test_profiles.py", f"{_T}verify/test_verdicts.py")
WITT = (
    *(
        f"{_T}proofs/{name}"
        for name in ("test_hilbert.py", "test_witt.py", "isotropy/test_planes.py", "test_forms.py", "test_isometry.py")
    ),
    f"{_LAWS}::test_forms",
    f"{_LAWS}::test_heads",
)
LAYOUTS = tuple(
    f"{_T}verify/{name}"
    for name in (
        "checkpoints/test_orders.py",
        "checkpoints/test_config.py",
        "checkpoints/test_naming.py",
        "checkpoints/test_plan.py",
        "checkpoints/test_planning.py",
        "checkpoints/test_reading.py",
        "checkpoints/test_rotary.py",
        "strategies/checkpoints",
    )
)


def _of(area: str, file: str, tests: tuple[str, ...], *changes: tuple[str, str] | tuple[str, str, str]) -> list[Mutant]:
    return [Mutant(area, file, old, new, tests, *why) for old, new, *why in changes]


MUTANTS: list[Mutant] = [
    *_of(
        "inertia",
        "proofs/inertia.py",
        INERTIA,
        (
            "signs = [c > 0 for c in coefficients if c != 0]",
            "signs = [c > 0 for c in coefficients]",
            "where all roots are real, the neighbours of a zero coefficient have opposite signs (Newton)",
        ),
        ("sum(a != b for", "sum(a == b for"),
        ("return Signature(positive, negative, zero)", "return Signature(negative, positive, zero)"),
        (" or matrix != matrix.transpose()", ""),
    ),
    *_of(
        "inertia",
        "proofs/decomposition.py",
        INERTIA,
        ("Signature(inertia.positive, inertia.negative, N - rank)", "Signature(inertia.positive, inertia.negative, 0)"),
        ("Signature(n - p - t, n - q - t,", "Signature(n - q - t, n - p - t,"),
        ("N - 2 * n + p + q + 2 * t)", "N - 2 * n + p + q + t)"),
        ("t = k - rank\n", "t = rank\n"),
    ),
    *_of(
        "inertia",
        "verify/signature.py",
        INERTIA,
        ("c = 2.0 * expected", "c = 0.0 * expected"),
        ("gram.eligible & (bound < c)", "gram.eligible"),
        ("(info == 0) & gram.eligible & (bound < c)", "(info == 0) & (bound < c)"),
        ("bound = add_up(product_error, factor_error, residual)", "bound = add_up(product_error, factor_error)"),
        ("bound = add_up(product_error, factor_error, residual)", "bound = residual"),
        ("bound = add_up(product_error, factor_error, residual)", "bound = add_up(factor_error, residual)"),
        ("h = (gram.product_error + gram.rounding + 4.0", "h = (gram.product_error + 4.0"),
        ("keep & (diagonal.abs() > errors + beside + slack)", "keep & (diagonal.abs() > errors + slack)"),
        (" & (d > 0).all(-1, keepdim=True)", ""),
        (
            "(certain & (diagonal > 0)).sum(-1), (certain & (diagonal < 0))",
            "certain.sum(-1), (certain & (diagonal < 0))",
        ),
        ("diagonal.abs() > errors + beside + slack", "diagonal.abs() > beside - 1e9"),
        (
            "factor = factor.tril()",
            "factor = factor * 1",
            "the library returns a triangular factor, and any other would be judged by its product all the same",
        ),
    ),
    *_of(
        "inertia",
        "verify/gram.py",
        INERTIA,
        ("top = torch.where(live, sums, lowest).amax(-1)", "top = sums.amax(-1)"),
        ("@ (d.unsqueeze(-1) * factor[:, n:])", "@ factor[:, n:]"),
        ("eligible = ((largest == 0) | (largest >= SMALLEST_ROW)).all(-1)", "eligible = (largest >= 0).all(-1)"),
        ("2.0 * rho, up(rho.square())", "up(rho.square())"),
        ("gamma(max(self.columns, 1))", "gamma(1)"),
        ("return (form + form.mT) / 2", "return (form + form.mT).tril() / 2"),
    ),
    *_of(
        "inertia",
        "verify/rounding.py",
        INERTIA,
        (
            "return shift(M, -exponents.unsqueeze(-1)), exponents",
            "return shift(M, -exponents.unsqueeze(-1)), -exponents",
        ),
        ('first = torch.div(e, 2, rounding_mode="floor")', "first = e"),
    ),
    *_of(
        "inertia",
        "verify/verdicts.py",
        INERTIA,
        ("signature=Signature(n, n, N - 2 * n)", "signature=Signature(n, n, N - n)"),
        ("isotropy_dimension=N - n,", "isotropy_dimension=N - 2 * n,"),
        (
            "positive > signature.positive or negative > signature.negative",
            "positive > signature.positive and negative > signature.negative",
        ),
        ('"proved" if d.nondegenerate else "not_applicable"', '"not_applicable" if d.nondegenerate else "refuted"'),
    ),
    *_of(
        "certificates",
        "verify/certificates.py",
        CERTIFICATES,
        ("pow(2, k, prime)", "pow(2, -k, prime)"),
        ("tuple(int(chosen[j]) for j in pivots)", "tuple(int(j) for j in pivots)"),
        ("if rank < matrix.nrows():", "if rank < matrix.nrows() - 1:"),
        ("(table != 0).argmax(axis=1)", "(table == 0).argmax(axis=1)"),
        (".round().astype(int), np.arange(N)):", ".round().astype(int),):"),
        ("Head(QQ.matrix(queries), QQ.matrix(keys))", "Head(QQ.matrix(keys), QQ.matrix(queries))"),
        (" or rows.denominator % prime == 0", ""),
    ),
    *_of(
        "certificates",
        "verify/dyadic.py",
        CERTIFICATES,
        ("e = exponent.astype(np.int64) - 53", "e = exponent.astype(np.int64) - 52"),
        ("lowest = int(e[nonzero].min())", "lowest = int(e[nonzero].max())"),
        ("if bits <= 62:", "if bits <= 72:"),
        ("if bits <= 62:", "if bits <= -1:", "the long way round gives the same integers"),
    ),
    *_of(
        "certificates",
        "verify/checking.py",
        CERTIFICATES,
        ("if prime < 3 or prime % 2 == 0 or any(prime % q == 0 for q in _small_divisors(prime)):", "if prime < 3:"),
        ("sign *= 1 if a > 0 else -1", "sign *= 1"),
        ("return n - p - t, n - q - t,", "return n - q - t, n - p - t,"),
        (" or not has_rank(vectors, len(vectors), prime)", ""),
        ("range(3, int(prime**0.5) + 2, 2)", "range(3, int(prime**0.5), 2)"),
        ("(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)", "(2,)"),
        ('        "isotropy_dimension": zero + witt,\n', ""),
        (
            "rest -= rest[:, j : j + 1] * row % p",
            "rest -= rest[:, j : j + 1] * row",
            "products of two residues below 2³¹ fit 64 bits as they are, and the next line reduces them",
        ),
    ),
    *_of(
        "profile",
        "verify/profiles.py",
        PROFILE,
        ("        2 * (alpha * beta).sum(-1),", "        (alpha * beta).sum(-1),"),
        ("(-ordered.flip(-1)).clamp(min=0)", "(-ordered).clamp(min=0)"),
        ("eigenvalues.sort(-1, descending=True)", "eigenvalues.sort(-1, descending=False)"),
        ("L2 = S2 + T2", "L2 = S2"),
        ("rho = (beta2 / alpha2).sqrt()", "rho = (alpha2 / beta2).sqrt()"),
        ("leading_share=h1 / h2", "leading_share=h2 / h1"),
        ("if c + d <= TYPE_II_RADIUS * symmetric:", "if c + d <= TYPE_II_RADIUS:"),
        ('return "I+" if c > d else "I-"', 'return "I+" if c >= d else "I-"'),
        ("norm=L2.sqrt() * unit.squeeze(-1)", "norm=L2.sqrt()"),
        ("difference.clamp(min=0).square().sum(-1),", "difference.square().sum(-1),"),
        ("(1 - rho).abs()", "(1 - rho)"),
        ("dim2=-1).sum(-1).abs() /", "dim2=-1).sum(-1) /"),
    ),
    *_of(
        "profile",
        "verify/verdicts.py",
        PROFILE,
        ("below = torch.where(place < negative,", "below = torch.where(place <= negative,"),
        ("torch.where(place >= size - positive,", "torch.where(place > size - positive,"),
        ("if measured.cancellation > CANCELLATION:", "if measured.cancellation < 0:"),
        ("CANCELLATION = 2.0**10", "CANCELLATION = 2.0**40"),
        ("if head.n == 0 or (d is not None and d.rank_score == 0):", "if head.n == 0:"),
    ),
    *_of(
        "witt",
        "proofs/witt.py",
        WITT,
        ("return 0 if form.field.is_square(signed(", "return 2 if form.field.is_square(signed("),
        ("if form.rank % 2 == 0 and not field.is_square(discriminant):", "if not field.is_square(discriminant):"),
        ("return 3 if form.rank % 2 else 4", "return 4 if form.rank % 2 else 3"),
        (
            "return (form.rank - anisotropic_dimension(form)) // 2",
            "return (form.dimension - anisotropic_dimension(form)) // 2",
        ),
        ("rank = 2 * n - k - (k - form.rank)", "rank = 2 * n - k - form.rank"),
        ("        largest = 3 if form.rank % 2 else 4\n", "        largest = 4\n"),
        ("if real >= largest:", "if real >= largest - 2:"),
        (
            "if real >= largest:",
            "if real >= largest - 1:",
            "both have the parity of the rank, so that they never differ by one",
        ),
        ("chain(one.bad_primes(), other.bad_primes())", "one.bad_primes()"),
        ("form.rank >= 5 else form", "form.rank >= 4 else form"),
        ("form.bad_primes() if form.rank % 2 else form.primes_of_corank_two()", "form.primes_of_corank_two()"),
    ),
    *_of(
        "witt",
        "proofs/hilbert.py",
        WITT,
        ("alpha * (v * v - 1) // 8 + beta * (u * u - 1) // 8", "alpha * (u * u - 1) // 8 + beta * (v * v - 1) // 8"),
        ("sign = -1 if alpha * beta * (p - 1) // 2 % 2 else 1", "sign = 1"),
        ("field.square_class(a if product is None else product * a)", "field.square_class(a)"),
    ),
    *_of(
        "witt",
        "proofs/forms.py",
        WITT,
        ("if rank * (rank - 1) // 2 % 2 else", "if rank * (rank + 1) // 2 % 2 else"),
        (
            "                _add(A, P, i, k, -(A[i][k] / A[k][k]))",
            "                _add(A, P, i, k, A[i][k] / A[k][k])",
        ),
    ),
    *_of(
        "witt",
        "proofs/isotropy/planes.py",
        WITT,
        ("3 if isinstance(field, PrimeField) else 5", "3 if isinstance(field, PrimeField) else 4"),
        ("field.unit_part(v.value)[0] // 2", "field.unit_part(v.value)[0]"),
        ("product(range(16), repeat=2)", "product(range(3), repeat=2)"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/orders.py",
        LAYOUTS,
        ("key = tuple((heads + g) * size for g", "key = tuple((kv_heads + g) * size for g"),
        (
            "tuple(h * step + size for h in range(heads)), heads * step",
            "tuple(h * step + 2 * size for h in range(heads)), heads * step",
        ),
        ("h // per_group * step + h % per_group * size", "h * step // per_group"),
        ("g * step + per_group * size for g", "g * step + kv_heads * size for g"),
        ("start + 2 * local for start in query", "start + local for start in query"),
        ("step = 2 * size if gated else size", "step = size"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/plan.py",
        LAYOUTS,
        ("head, head // group)", "head, head % self.kv_heads)"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/planner.py",
        LAYOUTS,
        ("return candidates[-1] if candidates else layer", "return candidates[0] if candidates else layer"),
        ("first_shared = len(kinds) - count", "first_shared = len(kinds) - count - 1"),
        (
            "expected, starts = (len(starts), plan.N, plan.n), tuple(range(len(starts)))",
            "expected = (len(starts), plan.N, plan.n)",
            "a stacked projection is read whole",
        ),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/latent.py",
        LAYOUTS,
        ("tuple(start + plain for start in starts), shared", "starts, shared"),
        ("Rows(key_down, (rank,), shared)", "Rows(key_down, (0,), shared)"),
        ("h * (plain + value) for h in range(heads)", "h * plain for h in range(heads)"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/config.py",
        LAYOUTS,
        ("layer + self.counted_from in numbers", "layer in numbers"),
        ("(layer % period == phase) is not self.invert", "layer % period == phase"),
        ("if self.cycle and entries:", "if entries:"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/rotary.py",
        LAYOUTS,
        ("(o + i, o + i + half) for i", "(o + i, o + half - i) for i"),
        ("= cosine, -sine, sine, cosine", "= cosine, sine, -sine, cosine"),
    ),
    *_of(
        "layouts",
        "verify/checkpoints/reading.py",
        LAYOUTS,
        (
            "index_select(0, pairing)\n            return HeadBatch",
            "flip(0).index_select(0, pairing)\n            return HeadBatch",
        ),
        ("gain = 1.0 + gain.float()", "gain = gain.float()"),
    ),
]
