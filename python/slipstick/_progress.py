"""Progress of long work, in a terminal or a notebook."""

from __future__ import annotations

import sys
from typing import Callable, Optional, Union

Progress = Union[None, bool, Callable[[float, str], object]]


class Bar:
    """A line that shows how far the work is. It appears after half a second and leaves nothing behind."""

    def __init__(self, notebook: bool) -> None:
        self._notebook = notebook
        self._handle = None
        self._shown = False

    def __call__(self, fraction: float, text: str) -> None:
        known = 0.0 <= fraction <= 1.0
        bar = f"{round(100 * fraction):3d} % [{'#' * round(30 * fraction):30s}] " if known else ""
        line = bar + text
        if not self._notebook:
            sys.stderr.write("\r\x1b[K" + line)
            sys.stderr.flush()
        elif self._handle is None:
            from IPython.display import display

            self._handle = display({"text/plain": line}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": line}, raw=True)
        self._shown = True

    def close(self) -> None:
        if self._shown and not self._notebook:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    kernel = shell and shell.get_ipython()
    return kernel is not None and "IPKernelApp" in kernel.config


class watched:
    """`with watched(progress) as show:` gives what the extension calls, or None."""

    def __init__(self, progress: Progress) -> None:
        self._bar: Optional[Bar] = None
        if progress is None or progress is True:
            notebook = in_notebook()
            terminal = sys.stderr is not None and sys.stderr.isatty()
            self._bar = Bar(notebook) if notebook or terminal or progress else None
            self._show: Optional[Callable[[float, str], object]] = self._bar
        elif progress is False:
            self._show = None
        elif callable(progress):
            self._show = progress
        else:
            raise TypeError("progress: None, True, False or a function of the fraction done and a text is needed")

    def __enter__(self) -> Optional[Callable[[float, str], object]]:
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
