"""The group: every command of the table imports and explains itself, and the overview stays light."""

import pytest
import torch
from click.testing import CliRunner

from tests.verify.cli.running import headforms
from verify.cli import COMMANDS, group, main
from verify.errors import InconsistencyError


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(group, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith("Usage:")


def test_the_overview_lists_them_all() -> None:
    output = CliRunner().invoke(group, ["--help"]).output
    assert all(name in output for name in COMMANDS)


def test_unknown_commands_are_usage_errors() -> None:
    done = headforms("frobnicate")
    assert done.returncode == 2
    assert "No such command 'frobnicate'" in done.stderr


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InconsistencyError("two routes disagree"), "internal inconsistency: two routes disagree"),
        (KeyError("surprise"), "unexpected KeyError: 'surprise'; a defect of headforms"),
    ],
)
def test_defects_are_70_and_never_1(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr("verify.cli._run", fail)
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 70
    assert words in capsys.readouterr().err


def test_running_out_of_memory_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("verify.cli._run", lambda _: torch.empty(1 << 50))
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert capsys.readouterr().err == "headforms: out of memory\n"
