"""Exceptions of the package. The extension raises them through make_error and make_model_error."""

from __future__ import annotations

import logging
import warnings
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One mistake of a model file, or one thing to know about it.

    `severity` is 'error', 'warning' or 'note'; lines and columns count from 1, 0 means the whole file; an override of
    `vary()` has the file '--set'.
    """

    severity: str
    file: str
    line: int
    column: int
    length: int
    source: str
    text: str
    hint: str


class Error(Exception):
    """What the library could not do, and where.

    `status` is one of its words ('unsupported', 'io', 'bad-file', ...), `where` a file, a part or an option.
    """

    status: str = ""
    where: str = ""


class ArgumentError(Error, ValueError):
    """A value is outside its range, or nothing is listed under a name."""


class ModelError(Error, ValueError):
    """A model with mistakes: all of them, as lines with carets in the message and as records in `diagnostics`."""

    diagnostics: tuple[Diagnostic, ...] = ()


class ModelWarning(UserWarning):
    """A model is valid, but something in it is worth a look."""


def note(text: str) -> None:
    """Something to know that is not worth a warning, for those who log it: ``logging.getLogger("slipstick")``."""
    logging.getLogger("slipstick").info(text)


def warn_of(notes: list[tuple], stacklevel: int) -> None:
    """Warns of what was found in a file that is valid all the same; `stacklevel` as in `warnings.warn`, seen from the caller."""
    for found in notes:
        record = Diagnostic(*found)
        text = f"{record.file}:{record.line}: {record.text}"
        if record.severity == "note":
            note(text)
        else:
            warnings.warn(text, ModelWarning, stacklevel=stacklevel + 1)


def make_error(status: str, where: str, text: str) -> Error:
    kind = ArgumentError if status in ("bad-argument", "unknown-name") else ModelError if status == "bad-model" else Error
    error = kind(f"{where}: {text}" if where else text)
    error.status, error.where = status, where
    return error


def make_model_error(status: str, where: str, sentence: str, count: int, text: str, records: list[tuple]) -> Error:
    summary = f"{count} error{'' if count == 1 else 's'} in the model" if count else sentence
    kind = Error if status == "io" else ModelError
    error = kind(f"{where}: {summary}\n{text}".rstrip("\n"))
    error.status, error.where = status, where
    error.diagnostics = tuple(Diagnostic(*record) for record in records)
    return error
