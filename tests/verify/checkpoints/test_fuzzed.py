"""Damage of every kind to files of every format: a verdict or one line, nothing else, and in bounded memory."""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

from tests.verify.checkpoints.fuzzing import TARGETS, Files, damaged, rezipped
from verify.auditing import Audit, audit
from verify.checkpoints.files import open_file
from verify.errors import HeadformsError, InconsistencyError
from verify.records import schema

#: Examples for each target; the slow test asks for more.
EXAMPLES = int(os.environ.get("HEADFORMS_FUZZ_EXAMPLES", "40"))
#: Files that hold no tensors.
DESCRIPTIONS = (".json", ".toml")


def laid_out(folder: Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def audited(folder: Path) -> Audit:
    layout = folder / "my.toml"
    if not layout.exists():
        return audit(folder)
    return audit(next(file for file in folder.iterdir() if file.suffix in {".npz", ".onnx"}), layout=layout)


def read_whole(path: Path) -> None:
    file = open_file(path)
    file.identity()
    for name, info in file.tensors.items():
        assert file.read(name).shape == info.shape


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_not_damaged_is_proved(tmp_path: Path, target: str) -> None:
    make, _ = TARGETS[target]
    files = make(tmp_path)
    (tmp_path / "valid").mkdir()
    laid_out(tmp_path / "valid", files)
    assert audited(tmp_path / "valid").counts["proved"] == 2


@pytest.mark.parametrize("target", TARGETS)
def test_damage_gives_a_verdict_or_one_line(tmp_path_factory: pytest.TempPathFactory, target: str) -> None:
    make, place = TARGETS[target]
    folder = tmp_path_factory.mktemp("fuzzed")
    files = make(folder)
    (folder / "made.gguf").unlink(missing_ok=True)
    laid_out(folder, files)
    name, _, member = place.partition("/")
    valid = zipfile.ZipFile(io.BytesIO(files[name])).read(member) if member else files[name]
    validator = Draft202012Validator(schema())

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(damaged(valid))
    def check(content: bytes) -> None:
        (folder / name).write_bytes(rezipped(files[name], member, content) if member else content)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                for record in audited(folder).records:
                    validator.validate(record)
            except InconsistencyError:
                raise
            except HeadformsError as error:
                assert str(error).isprintable()
                assert len(str(error)) < 1500
            if not name.endswith(DESCRIPTIONS):
                try:
                    read_whole(folder / name)
                except HeadformsError as error:
                    assert str(folder / name) in str(error)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_more_damage_in_bounded_memory(target: str) -> None:
    """The same in a process that may take no more than 3 GiB of addresses in all."""

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    name = f"{__file__}::test_damage_gives_a_verdict_or_one_line[{target}]"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", name],
        env={**os.environ, "HEADFORMS_FUZZ_EXAMPLES": "2000", "OMP_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[3],
        preexec_fn=confine,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
