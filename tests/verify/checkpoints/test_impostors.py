import pytest

from verify.checkpoints.impostors import refuse_impostor
from verify.errors import SourceError


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"<!DOCTYPE html><html>", "an HTML page, which a failed download leaves; fetch the file again"),
        (b"\xef\xbb\xbf\r\n\t <HTML>", "an HTML page"),
        (b"<?xml version=", "an XML text"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0",
            "a Git LFS pointer, .* 'git lfs pull' first",
        ),
    ],
)
def test_what_a_failed_download_leaves(head: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=f"model.bin: {words}"):
        refuse_impostor(head, "model.bin")


@pytest.mark.parametrize("head", [b"", b"{}", b"PK\x03\x04", b"<", b"version 2", b"\x80\x02<html"])
def test_what_may_be_the_file_itself(head: bytes) -> None:
    refuse_impostor(head, "model.bin")
