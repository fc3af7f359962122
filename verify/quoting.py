"""Words that come from a file, made fit for a message: on one line, of bounded length, without control characters.

Names of tensors and files, and values of a configuration, are chosen by whoever made the checkpoint. Printed as they
are, a newline makes one message look like two and an escape sequence reaches the terminal.
"""

from __future__ import annotations

#: What is kept of a longer word: so many characters of its beginning and of its end.
BEGINNING, END = 120, 40


def shown(value: object, *, quoted: bool = False) -> str:
    r"""A value from a file as a message shows it: a plain name as it is, anything else quoted, and cut if long.

    With ``quoted`` plain names are quoted too, so that the text "2" is not taken for the number.

    >>> print(shown("encoder.layer.0.query"), shown("two\nlines"), shown(""), shown(["bert"]))
    encoder.layer.0.query 'two\nlines' '' ['bert']
    >>> print(shown("2", quoted=True), shown(2, quoted=True))
    '2' 2
    >>> shown("a" * 5000).endswith("aaa (5000 characters)")
    True
    """
    if isinstance(value, str):
        kept = _cut(value)
        plain = kept and kept.isprintable() and " " not in kept and not quoted
        word = kept if plain else repr(kept)
        return word if kept == value else f"{word} ({len(value)} characters)"
    try:
        return one_line(_cut(repr(value)))
    except (ValueError, RecursionError):  # an integer of more digits than Python converts, or lists in lists in …
        return f"a {type(value).__name__} too long to show"


def one_line(text: str) -> str:
    r"""The text with everything that is not printable escaped as in a Python string.

    >>> print(one_line("two\nlines \x1b[31m of τ"))
    two\nlines \x1b[31m of τ
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= BEGINNING + END else f"{text[:BEGINNING]}…{text[-END:]}"
