"""Answers of commands: the members of their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Iterator


class Answer(Mapping):
    """What a command says: a mapping over the members of its JSON (docs/json.md), which are attributes too.

    `json` is the text that the command line prints with `--json`.
    """

    json: str

    def __init__(self, text: str) -> None:
        self.json = text
        self._members: dict[str, Any] = json.loads(text)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._members[name]
        except KeyError:
            raise AttributeError(f"there is no member {name!r}; there are {', '.join(self._members)}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._members})

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"<slipstick.{type(self).__name__}: {', '.join(self._members)}>"
