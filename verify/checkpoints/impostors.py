"""Files that are not what their name says: what a download leaves behind when it fails."""

from __future__ import annotations

from verify.errors import SourceError

#: How much of the beginning of a file is looked at.
BEGINNING = 512

#: What a file begins with, in lower case and after white space, and what it then is.
KINDS = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself; run 'git lfs pull' first"),
    (b"<!doctype html", "an HTML page, which a failed download leaves; fetch the file again"),
    (b"<html", "an HTML page, which a failed download leaves; fetch the file again"),
    (b"<?xml", "an XML text, which a failed download leaves; fetch the file again"),
)


def refuse_impostor(head: bytes, where: str) -> None:
    """Refuse a file that begins like a web page or a pointer to the real one.

    Args:
        head: the beginning of the file.
        where: how messages name it.

    Raises:
        SourceError: with what the file is and how to get the right one.

    >>> refuse_impostor(b'{"model_type": "bert"}', "config.json")
    """
    begin = head[:BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for mark, what in KINDS:
        if begin.startswith(mark):
            raise SourceError(f"{where}: {what}")
