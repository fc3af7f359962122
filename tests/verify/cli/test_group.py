"""The group: every command of the table imports and explains itself, and the overview stays light."""

import pytest
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


def test_an_internal_inconsistency_is_70(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(**_: object) -> None:
        raise InconsistencyError("two routes disagree")

    monkeypatch.setattr("verify.cli.group", fail)
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 70
    assert "internal inconsistency: two routes disagree" in capsys.readouterr().err
