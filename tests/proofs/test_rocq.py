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
import sys
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
from proofs.kernel_certificates import PRIME, exact_text, minor_text
from proofs.ranks import word_primes
from proofs.statements import all_statements
from tests.trained import demo_checkpoint
from tests.verify.cli.running import headforms
from verify.certificates import find_exact_minor
from verify.checkpoints import open_checkpoint
from verify.records import read_records, to_line

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


def defined_names() -> list[str]:
    """Every definition of the development, in the order of the build."""
    order = re.findall(r"^theories/(\w+\.v)$", (ROCQ / "_CoqProject").read_text(), flags=re.MULTILINE)
    pattern = re.compile(r"^(?:Definition|Fixpoint|Record) (\w+)", flags=re.MULTILINE)
    return [name for theory in order for name in pattern.findall((THEORIES / theory).read_text())]


def test_every_definition_is_on_record() -> None:
    """What a statement says depends on the definitions in it, which an axiom audit does not look at."""
    text = (ROCQ / "definitions.txt").read_text()
    names = defined_names()
    assert len(set(names)) == len(names)
    assert re.findall(r"^(?:Record )?(\w+) (?:=|:)", text, flags=re.MULTILINE) == names


def test_every_statement_of_the_registry_has_an_entry() -> None:
    table = tomllib.loads((ROCQ / "theorems.toml").read_text())["statement"]
    assert [entry["id"] for entry in table] == [statement.id for statement in all_statements()]
    linked = {id for entry in recorded() for id in entry["ids"]}
    for entry in table:
        assert entry["status"] in {"whole", "part", "none"}
        assert (entry["id"] in linked) == (entry["status"] != "none"), entry
        assert (entry["missing"] == "") == (entry["status"] == "whole"), entry


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
        assert len(theory.read_text().splitlines()) <= 300, theory.name


def test_every_theorem_has_a_row_in_the_readme() -> None:
    table = (ROCQ / "README.md").read_text()
    assert {entry["name"] for entry in recorded() if f"`{entry['name']}`" not in table} == set()
    files = {entry["name"]: entry["file"] for entry in recorded()}
    for row in re.findall(r"^\|.*\|$", table, flags=re.MULTILINE):
        *_, theories, theorems, _ = row.split("|")
        for name in re.findall(r"`(\w+)`", theorems):
            assert f"`{files[name]}`" in theories, f"{name} stands in {files[name]}, not in {theories}"


def test_nothing_is_replaced_in_the_extraction() -> None:
    assert "Extract " not in re.sub(
        r"\(\*.*?\*\)", "", (ROCQ / "checker" / "Extraction.v").read_text(), flags=re.DOTALL
    )


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


@pytest.mark.parametrize("ci", [False, True])
def test_without_the_proof_assistant_the_tests_are_skipped_but_never_in_ci(tmp_path: Path, ci: bool) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"PATH": str(tmp_path)}
    if ci:
        environment["CI"] = "true"
    one = f"{__file__}::test_no_theorem_rests_on_an_axiom"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "-m", "slow", one],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=ROCQ.parent.parent,
        timeout=300,
    )
    assert "coqc is not installed: the Debian packages are listed in proofs/rocq/README.md" in done.stdout
    assert done.returncode == (1 if ci else 0), done.stdout
    assert ("1 error" if ci else "1 skipped") in done.stdout


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


@pytest.mark.slow
def test_the_kernel_prints_the_definitions_on_record(built: Path) -> None:
    done = make(built, "definitions")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == (ROCQ / "definitions.txt").read_text().split()


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
            ("move=> infF le p0; apply: (generic_dense infF (", "move=> le p0; apply: (generic_dense _ ("),
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
    "a recursion that does not end": (
        "ExactCondition.v",
        [
            (
                "Section ExactCondition.",
                "Unset Guard Checking.\nFixpoint gap (k : nat) : forall P : Prop, P := gap k.\nSet Guard Checking.\n\n"
                "Section ExactCondition.",
            ),
            ("by rewrite -(exact_condition_rank Q K n2) rS rank_hyperbolic_zero.", "exact: (gap 0)."),
        ],
    ),
    "universes off": (
        "ExactCondition.v",
        [("Section ExactCondition.", "Unset Universe Checking.\n\nSection ExactCondition.")],
    ),
    "a checker that accepts every minor": (
        "Checker.v",
        [("    & inverse_modulo modulus (n + n)\n", "    & true || inverse_modulo modulus (n + n)\n")],
    ),
    "a checker that takes every modulus": (
        "Checker.v",
        [("  [&& Z.ltb 1 m, shaped k k A", "  [&& shaped k k A")],
    ),
    "a checker that does not look at the shape": (
        "Checker.v",
        [
            (
                "[&& exponents_above e rows, shaped (n + n) N rows, indices_below",
                "[&& exponents_above e rows, indices_below",
            )
        ],
    ),
    "a checker that does not multiply the null vectors out": (
        "Checker.v",
        [
            (
                "       all (fun u => all (Z.eqb 0) (combination N u M)) U\n     & orthogonal_rows",
                "       true & orthogonal_rows",
            )
        ],
    ),
    "a checker that does not ask for orthogonality": (
        "Checker.v",
        [("     & orthogonal_rows n V]", "     & true || orthogonal_rows n V]")],
    ),
    "a checker with the indices exchanged": (
        "Checker.v",
        [("Some (n - (p + t), n - (q + t),", "Some (n - (q + t), n - (p + t),")],
    ),
    "a checker that forgets the radical": (
        "Checker.v",
        [("N + (p + q + t + t) - (n + n))", "N + (p + q + t) - (n + n))")],
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
    assert re.search(r"AUDIT FAILED|^File \"\./theories/\w+\.v\"", done.stderr, flags=re.MULTILINE), done.stderr


def run_checker(built: Path, directory: Path, text: str) -> tuple[int, str]:
    path = directory / "certificate.txt"
    path.write_text(text)
    done = subprocess.run([built / "checker" / "check", path], capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, (done.stdout or done.stderr).strip()


REFUSED = (1, "refused: the certificate does not prove its claim")

SMALL = minor_text(fmpz_mat([[1, 2, 3, 4], [5, 6, 7, 9]]), prime=101, columns=[3, 0], exponent=-3)


@pytest.mark.slow
def test_a_minor_is_proved_down_to_the_kernel(built: Path, tmp_path: Path) -> None:
    assert run_checker(built, tmp_path, SMALL) == (0, "proved: rank 2, signature (1, 1, 2)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Modulo 1 everything is congruent to everything.
        *(("modulus 101", f"modulus {modulus}") for modulus in (1, 0, -1, -101, 103, 202)),
        ("columns 3 0", "columns 0 3"),  # the inverse is that of the other order
        ("columns 3 0", "columns 3 4"),  # no such column
        ("inverse\n", "inverse\n1"),
        ("1 -3 2 -3", "2 -3 2 -3"),  # another weight
        ("1 -3 2 -3", "1 -2 2 -3"),  # another exponent
    ],
)
def test_a_corrupted_minor_is_refused(built: Path, tmp_path: Path, old: str, new: str) -> None:
    assert SMALL.count(old) == 1
    assert run_checker(built, tmp_path, SMALL.replace(old, new)) == REFUSED


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


#: The moduli of an exact certificate; modulo 1 everything is congruent to everything.
MODULI = [("modulus", next(word_primes())), ("null-modulus", PRIME), ("orthogonaliser-modulus", PRIME)]

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
def test_records_of_the_demo_checkpoint_are_proved_down_to_the_kernel(built: Path, tmp_path: Path) -> None:
    """Show: a run's record is confirmed by the extracted checker, and a corrupted one is not."""
    path, source, kernel = tmp_path / "run.jsonl", demo_checkpoint(), built / "checker" / "check"
    assert headforms("audit", source, "--layers", "0", "--out", path).returncode == 0
    header, *heads = read_records(path)
    first, second = heads[:2]
    minor = find_exact_minor(open_checkpoint(str(source)).read(open_checkpoint(str(source)).layers()[0]).exact_rows(1))
    assert first["proof"]["kind"] == "cholesky" and minor is not None
    second["proof"] = {"kind": "minor", "prime": minor.prime, "columns": list(minor.columns)}

    def check(*records: dict[str, Any]) -> tuple[int, list[str]]:
        path.write_text("\n".join(map(to_line, [header | {"heads": len(records)}, *records])))
        done = headforms("check", path, source, "--kernel", kernel)
        return done.returncode, done.stdout.splitlines()

    assert check(first, second) == (0, [f"{path}: 2 of 2 heads confirmed against {source}"])
    signature = {"positive": 33, "negative": 31, "zero": 320}
    code, lines = check(first | {"signature": signature})
    assert code == 1
    assert lines[0].startswith("not confirmed: encoder layer 0 head 0: signature is {'positive': 32,")
    columns = [minor.columns[0], *minor.columns[:-1]]
    code, lines = check(second | {"proof": second["proof"] | {"columns": columns}})
    assert code == 1
    assert lines[0].startswith("not confirmed: encoder layer 0 head 1: the proof of the record makes no certificate")
    tied = {"kind": "exact", "rank": 63, "prime": minor.prime, "rows": [0] * 63, "columns": [0] * 63}
    code, lines = check(second | {"proof": tied | {"null_vectors": [["1"] + ["0"] * 63]}})
    assert code == 1 and lines[0].startswith("not confirmed: encoder layer 0 head 1: ")


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEGENERATE)
def test_degenerate_heads_are_proved_down_to_the_kernel(built: Path, tmp_path: Path, kind: str) -> None:
    text, (rank, positive, negative, zero) = exact_certificate(*DEGENERATE[kind])
    assert run_checker(built, tmp_path, text) == (
        0,
        f"proved: rank {rank}, signature ({positive}, {negative}, {zero})",
    )


def orthogonaliser(matrix: str, *, inverse: str) -> str:
    return f"orthogonaliser\n{matrix}\northogonaliser-modulus {PRIME}\northogonaliser-inverse\n{inverse}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("null-vectors\n-1 0 1 0\n", "null-vectors\n-1 0 2 0\n"),  # does not annihilate M
        ("null-vectors\n-1 0 1 0\n0 -1 0 1", "null-vectors\n-1 0 1 0\n1 0 -1 0"),  # dependent
        ("rank 2\nrows 0 1", "rank 2\nrows 0 0"),  # a minor with a repeated row
        ("rows 0 1", "rows 0 7"),  # no such row
        *((f"\n{name} {modulus}\n", f"\n{name} 1\n") for name, modulus in MODULI),
        (orthogonaliser("1 0\n0 1", inverse="1 0\n0 1"), orthogonaliser("1 1\n0 1", inverse=f"1 0\n{PRIME - 1} 1")),
        ("matrix\n1 -2", "matrix\n3 -2"),  # another weight
        ("matrix\n1 -2", "matrix\n1 -3"),  # another exponent
    ],
)
def test_a_corrupted_proof_is_refused(built: Path, tmp_path: Path, old: str, new: str) -> None:
    text, _ = exact_certificate(*DEGENERATE["tied"])
    assert text.count(old) == 1
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
        ("headforms-certificate 1 minor head 0x1 2", "not a size or an index: 0x1"),
        ("headforms-certificate 1 minor head 1_0 2", "not a size or an index: 1_0"),
        ("headforms-certificate 1 minor head 1 1234567", "not a size or an index: 1234567"),
        ("headforms-certificate 1 minor head 0 2 columns modulus 7 inverse matrix 5", "words after the end"),
    ],
)
def test_text_that_is_no_certificate(built: Path, tmp_path: Path, text: str, found: str) -> None:
    code, message = run_checker(built, tmp_path, text)
    assert code == 2
    assert message.startswith("not a certificate: ") and found in message
