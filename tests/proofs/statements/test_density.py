from proofs.pencils import Pencil
from tests.proofs.statements.mutation import failures


def test_a_lost_root_is_caught(monkeypatch):
    plain = Pencil.bad_parameters
    monkeypatch.setattr(Pencil, "bad_parameters", lambda pencil: plain(pencil)[1:])
    assert failures("density")


def test_an_invented_root_is_caught(monkeypatch):
    plain = Pencil.bad_parameters
    monkeypatch.setattr(Pencil, "bad_parameters", lambda pencil: (*plain(pencil), pencil.base.field(1)))
    assert failures("density")
