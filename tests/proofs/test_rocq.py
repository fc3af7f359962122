"""The machine-checked development: it compiles, rests on nothing, and says what the records say it says.

Everything that runs the proof assistant is marked slow. Where ``coqc`` is missing it is skipped with the reason, but
never under CI, where a missing proof assistant is a failure.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from flint import fmpz_mat

import proofs
from proofs.decomposition import decompose
from proofs.fields import QQ
from proofs.heads import Head
from proofs.kernel_certificates import exact_text, minor_text
from tests.trained import demo_checkpoint
from verify.certificates import find_exact_minor
from verify.checkpoints import open_checkpoint

ROCQ = Path(proofs.__file__).parent / "rocq"
THEORIES = ROCQ / "theories"
CLOSED = "Closed under the global context"


def make(directory: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "-C", str(directory), *targets]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The development, compiled in place by whichever test process comes first."""
    if shutil.which("coqc") is None:
        reason = "coqc is not installed: the Debian packages are listed in proofs/rocq/README.md"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with (ROCQ / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = make(ROCQ, "checker")
    assert done.returncode == 0, done.stdout + done.stderr
    yield ROCQ


def audited_names() -> list[str]:
    return re.findall(r"^ +\(?@(\w+)(?:,|\)\.)$", (THEORIES / "Audit.v").read_text(), flags=re.MULTILINE)


def recorded() -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = tomllib.loads((ROCQ / "theorems.toml").read_text())["theorem"]
    return table


def statements(text: str) -> dict[str, str]:
    """Name → statement, in the form in which ``Check`` prints them, white space apart."""
    blocks = re.findall(r"^(\w+)\n +: (.*(?:\n .*)*)", text, flags=re.MULTILINE)
    return {name: " ".join(statement.split()) for name, statement in blocks}


def test_the_record_claims_nothing_that_is_not_audited() -> None:
    names = audited_names()
    assert len(set(names)) == len(names)
    claimed = [entry["name"] for entry in recorded()]
    assert sorted(claimed) == sorted(names)
    assert {entry["status"] for entry in recorded()} == {"proved"}


def test_every_theorem_stands_in_the_file_on_record() -> None:
    for entry in recorded():
        source = (THEORIES / entry["file"]).read_text()
        assert re.search(rf"^(?:Theorem|Corollary|Lemma) {entry['name']}\b", source, flags=re.MULTILINE), entry


def test_every_theorem_has_its_statement_on_record() -> None:
    assert sorted(statements((ROCQ / "statements.txt").read_text())) == sorted(audited_names())


def test_every_theory_has_a_header_and_a_row_in_the_readme() -> None:
    readme = (ROCQ / "README.md").read_text()
    for theory in sorted(THEORIES.glob("*.v")):
        assert theory.read_text().startswith("(** * "), theory.name
        assert f"`{theory.name}`" in readme, theory.name
        assert len(theory.read_text().splitlines()) <= 450, theory.name


def test_without_the_proof_assistant_make_says_what_to_install(tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("bash", "cat", "make", "sed", "ls", "sort", "mktemp", "rm"):
        (bare / tool).symlink_to(shutil.which(tool) or "")
    copy = tmp_path / "rocq"
    shutil.copytree(ROCQ, copy, ignore=shutil.ignore_patterns("*.vo*", ".lock"))
    done = subprocess.run(
        ["make", "-C", str(copy)], capture_output=True, text=True, check=False, env={"PATH": str(bare)}
    )
    assert done.returncode != 0
    assert "libcoq-mathcomp-multinomials" in done.stderr


@pytest.mark.slow
def test_no_theorem_rests_on_an_axiom(built: Path) -> None:
    done = make(built, "audit")
    assert done.returncode == 0, done.stderr
    *_, closed, count = done.stdout.strip().splitlines()
    assert closed == CLOSED
    assert count == f"{len(audited_names())} theorems, no axiom, nothing admitted"


@pytest.mark.slow
def test_the_kernel_prints_the_statements_on_record(built: Path) -> None:
    done = make(built, "statements")
    assert done.returncode == 0, done.stderr
    assert statements(done.stdout) == statements((ROCQ / "statements.txt").read_text())


#: name → (file, (old, new)…); each old text occurs exactly once.
MUTANTS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "2 need not be invertible": (
        "HyperbolicPlusZero.v",
        [
            (
                "2%:R != 0 :> F -> nondegenerate Q K ->\n  congruent (symmetric_part Q K) (hyperbolic_zero n N).\n"
                "Proof.\nmove=> n2 ndg;",
                "nondegenerate Q K ->\n  congruent (symmetric_part Q K) (hyperbolic_zero n N).\nProof.\nmove=> ndg;",
            ),
            (
                "have [P uP e] := hyperbolic_plus_zero_block n2 ndg.",
                "have [P uP e] := hyperbolic_plus_zero_block _ ndg.",
            ),
        ],
    ),
    "the head need not be nondegenerate": (
        "RankRadical.v",
        [
            (
                "2%:R != 0 :> F -> nondegenerate Q K -> \\rank (symmetric_part Q K) = (n + n)%N.\n"
                "Proof.\nmove=> n2 ndg;",
                "2%:R != 0 :> F -> \\rank (symmetric_part Q K) = (n + n)%N.\nProof.\nmove=> n2;",
            )
        ],
    ),
    "wrong rank": (
        "RankRadical.v",
        [("\\rank (kermx (symmetric_part Q K)) = (N - (n + n))%N", "\\rank (kermx (symmetric_part Q K)) = (N - n)%N")],
    ),
    "dense over finite fields too": (
        "Density.v",
        [
            ("  infinite_field F -> (n + n <= N)%N ->\n", "  (n + n <= N)%N ->\n"),
            ("move=> infF le p0;", "move=> le p0;"),
            ("apply: mpoly_vanish => //", "apply: mpoly_vanish"),
        ],
    ),
    "an admitted theorem": (
        "ExactCondition.v",
        [("by rewrite -(exact_condition_rank Q K n2) rS rank_hyperbolic_zero.\nQed.", "Admitted.")],
    ),
    "an admitted lemma under a theorem": (
        "Inertia.v",
        [("by move/leq_trans/(_ le); rewrite leq_add2r.\nQed.", "Admitted.")],
    ),
    "an axiom under another name, which no search of the text finds": (
        "ExactCondition.v",
        [
            ("Section ExactCondition.", "Hypothesis gap : forall P : Prop, P.\n\nSection ExactCondition."),
            ("by rewrite -(exact_condition_rank Q K n2) rS rank_hyperbolic_zero.", "exact: gap."),
        ],
    ),
    "an axiom": (
        "Arithmetic.v",
        [("Ltac dimensions :=", "Axiom convenient : False.\n\nLtac dimensions :=")],
    ),
    "a theory left out of the build": (
        "../_CoqProject",
        [("theories/CorankBound.v\n", "")],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_does_not_pass(built: Path, tmp_path: Path, mutant: str) -> None:
    name, changes = MUTANTS[mutant]
    copy = tmp_path / "rocq"
    shutil.copytree(built, copy, ignore=shutil.ignore_patterns("check", "ocaml.log"))
    path = copy / "theories" / name
    text = path.read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    path.write_text(text)
    done = make(copy, "audit")
    assert done.returncode != 0, done.stdout
    assert CLOSED not in done.stdout


def run_checker(built: Path, directory: Path, text: str) -> tuple[int, str]:
    path = directory / "certificate.txt"
    path.write_text(text)
    done = subprocess.run([built / "checker" / "check", path], capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, (done.stdout or done.stderr).strip()


REFUSED = (1, "refused: the certificate does not prove its claim")


@pytest.mark.slow
def test_a_head_of_the_demo_checkpoint_is_proved_down_to_the_kernel(built: Path, tmp_path: Path) -> None:
    checkpoint = open_checkpoint(str(demo_checkpoint()))
    rows = checkpoint.read(checkpoint.layers()[0]).exact_rows(2)
    minor = find_exact_minor(rows)
    assert minor is not None
    text = minor_text(rows.integers, prime=minor.prime, columns=minor.columns, exponent=rows.exponent)
    assert run_checker(built, tmp_path, text) == (0, "proved: rank 64, signature (32, 32, 320)")
    lines = text.splitlines()
    columns = lines.index("inverse") - 2
    swapped = lines[columns].split()
    swapped[1], swapped[2] = swapped[2], swapped[1]
    lines[columns] = " ".join(swapped)
    assert run_checker(built, tmp_path, "\n".join(lines)) == REFUSED
    # One weight of one head, changed in its last bit.
    weights = text.splitlines()
    row = weights.index("matrix") + 5
    first, *rest = weights[row].split(" ")
    column = 2 * minor.columns[0]
    entries = [first, *rest]
    entries[column] = str(int(entries[column]) + 1)
    weights[row] = " ".join(entries)
    assert run_checker(built, tmp_path, "\n".join(weights)) == REFUSED


def exact_certificate(K: Sequence[Sequence[int]], Q: Sequence[Sequence[int]]) -> tuple[str, tuple[int, int, int, int]]:
    """The text for a degenerate head, and what the Python side says of it: rank and signature."""
    d = decompose(Head.of(Q, K, field=QQ))
    text = exact_text(
        fmpz_mat([*K, *Q]),
        rank=d.rank_stacked,
        prime=int(d.minor.prime),
        rows=d.minor.rows,
        columns=d.minor.columns,
        null_vectors=d.null_vectors,
        exponent=-2,
    )
    assert d.signature is not None
    return text, (d.rank_stacked, *d.signature)


DEGENERATE = {
    "tied": ([[1, 2, 0, 5], [0, 1, 3, 1]], [[1, 2, 0, 5], [0, 1, 3, 1]]),
    "negatively tied": ([[1, 2, 0, 5], [0, 1, 3, 1]], [[-1, -2, 0, -5], [0, -1, -3, -1]]),
    "rank 3, (2, 1)": ([[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 0, 0, 0], [0, 0, 1, 0]]),
    "rank 3, (1, 2)": ([[1, 0, 0, 0], [0, 1, 0, 0]], [[-1, 0, 0, 0], [0, 0, 1, 0]]),
    "zero query": ([[1, 2, 3]], [[0, 0, 0]]),
    "zero head": ([[0, 0]], [[0, 0]]),
    "nondegenerate": ([[1, 0, 0]], [[0, 1, 0]]),
    "large integers": ([[2**70, 3, 1], [1, 2**65, 0]], [[2**71, 6, 2], [5, 5 * 2**65 + 1, 0]]),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEGENERATE)
def test_degenerate_heads_are_proved_down_to_the_kernel(built: Path, tmp_path: Path, kind: str) -> None:
    text, (rank, positive, negative, zero) = exact_certificate(*DEGENERATE[kind])
    assert run_checker(built, tmp_path, text) == (
        0,
        f"proved: rank {rank}, signature ({positive}, {negative}, {zero})",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("null-vectors\n-1 0 1 0\n", "null-vectors\n-1 0 2 0\n"),  # does not annihilate M
        ("null-vectors\n-1 0 1 0\n0 -1 0 1", "null-vectors\n-1 0 1 0\n1 0 -1 0"),  # dependent
        ("rank 2\nrows 0 1", "rank 2\nrows 0 0"),  # a minor with a repeated row
        ("rows 0 1", "rows 0 7"),  # no such row
        ("modulus", "modulus 1 modulus"),
        ("matrix\n1 -2", "matrix\n3 -2"),  # another weight
        ("matrix\n1 -2", "matrix\n1 -3"),  # another exponent
    ],
)
def test_a_corrupted_proof_is_refused(built: Path, tmp_path: Path, old: str, new: str) -> None:
    text, _ = exact_certificate(*DEGENERATE["tied"])
    assert old in text
    code, message = run_checker(built, tmp_path, text.replace(old, new, 1))
    assert code in {1, 2}
    assert not message.startswith("proved")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "the file ends too early"),
        ("headforms-certificate 2", "2 found where 1 was expected"),
        ("headforms-certificate 1 cholesky", "unknown kind of certificate: cholesky"),
        ("headforms-certificate 1 minor head 1 -2", "not a size or an index: -2"),
        ("headforms-certificate 1 minor head 1 2 columns 0 1 modulus 1e9", "not an integer: 1e9"),
        ("headforms-certificate 1 minor head 0 2 columns modulus 7 inverse matrix 5", "words after the end"),
    ],
)
def test_text_that_is_no_certificate(built: Path, tmp_path: Path, text: str, found: str) -> None:
    code, message = run_checker(built, tmp_path, text)
    assert code == 2
    assert message.startswith("not a certificate: ") and found in message
