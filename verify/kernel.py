"""Proves the claims of a run again by the program that the proof assistant has proved sound.

``make rocq`` extracts it from the machine-checked development (``proofs/rocq``) and compiles it. What it accepts is a
theorem about the weights written into its input; what stays to be trusted is said in ``proofs/rocq/README.md``.
"""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from proofs.errors import HeadformsError
from proofs.kernel_certificates import proof_text, read_answer
from verify.checking import Confirmed, WrongClaimError
from verify.dyadic import ExactRows
from verify.errors import SourceError
from verify.records import Record


@dataclass(frozen=True)
class KernelProver:
    """The extracted checker as a :data:`verify.checking.Prover`.

    Folded heads have a common denominator; the certificate is about M times that number, whose rank and signature
    are the same.

    Args:
        checker: the compiled program, ``proofs/rocq/checker/check`` after ``make rocq``.

    Raises:
        SourceError: when called, if the program cannot be run.
    """

    checker: Path

    def __call__(self, record: Record, rows: ExactRows) -> Confirmed:
        """The rank and the signature that the program proves from the record's proof."""
        try:
            text = proof_text(record["proof"], rows.integers, exponent=rows.exponent)
        except HeadformsError as error:
            raise WrongClaimError(f"the proof of the record makes no certificate: {error}") from error
        with tempfile.TemporaryDirectory() as folder:
            certificate = Path(folder) / "certificate.txt"
            certificate.write_text(text, encoding="ascii")
            try:
                done = subprocess.run([self.checker, certificate], capture_output=True, text=True, check=False)
            except OSError as error:
                raise SourceError(
                    f"{self.checker}: cannot be run ({error.strerror}); `make rocq` builds proofs/rocq/checker/check"
                ) from None
        answer = read_answer(done.stdout) if done.returncode == 0 else None
        if answer is None:
            said = (done.stdout or done.stderr).strip() or f"exit status {done.returncode}"
            raise WrongClaimError(f"the machine-checked program says: {said}")
        rank, signature = answer
        return Confirmed(rank, signature, f"{done.stdout.strip()}, by the machine-checked program")
