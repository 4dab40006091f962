"""Models: what the user wrote, read, checked and immutable."""

from __future__ import annotations

import html
import json
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core, _shipped
from ._arguments import as_list, as_path, as_sets, given
from ._errors import ModelWarning, warn_of

if TYPE_CHECKING:
    from ._run import Run
    from ._sim import Simulation

Source = Union[str, "os.PathLike[str]", Mapping]


def _changes(changes: Optional[Mapping[str, Any]], parameters: Mapping[str, Any]) -> list[str]:
    if changes is not None and not isinstance(changes, Mapping):
        raise TypeError("changes: a dict of keys and values is needed, as in {'run.step': 1e-4}")
    found = {**(changes or {}), **parameters}
    for key, value in found.items():
        if not isinstance(key, str):
            raise TypeError(f"a key is a str, got {key!r}")
        if isinstance(value, float) and value != value:
            raise ValueError(f"{key}: a number is needed, got NaN")
    return as_sets(found)


class Derivation(str):
    """The equations made of a model, as text. In a notebook they are rendered; `latex` is a document of its own."""

    latex: str

    def _repr_latex_(self) -> str:
        """Headings and equations in one block of mathematics, as a notebook can render it."""
        parts = []
        heading = ""
        for match in re.finditer(r"\\(?:sub)?section\*\{([^\n]*)\}|\\begin\{align\*\}(.*?)\\end\{align\*\}", self.latex, re.S):
            if match.group(2) is None:
                heading = match.group(1).replace(r"\_", "_")
            else:
                title = rf"&\textbf{{{heading}}} \\" if heading else ""
                parts.append(f"\\begin{{align*}}{title}{match.group(2)}\\end{{align*}}")
                heading = ""
        return "\n".join(parts)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class Page(str):
    """A self-contained HTML page; a notebook shows it in a frame."""

    title: str

    @classmethod
    def made(cls, title: str, path: Union[None, str, "os.PathLike[str]"], write: Callable[[str], None]) -> Page:
        """The page that `write` puts into a file: the one at `path`, or one that is gone afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            file = as_path(path) or os.path.join(folder, "page.html")
            write(file)
            with open(file, encoding="utf-8") as made:
                page = cls(made.read())
        page.title = title
        return page

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self)}" style="width: 100%; height: 720px; border: 0" '
            f'title="{html.escape(self.title)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<slipstick page {self.title!r}, {len(self)} characters>"


class Model:
    """A model of a mechanism: read, checked, immutable.

    Parameters
    ----------
    source : str, path or dict
        The name of a shipped model (`slipstick.models()` lists them), a file, the text of a model (anything with a
        line break), or the same as nested dicts. A `slipstick.Model` is copied.
    changes : dict, optional
        Values of keys of the model by their path, as in ``{"run.step": 1e-4, "contacts.floor.restitution": 0.5}``.
    allow : sequence of paths, optional
        Folders from which the model may read files that it names (``include``, tables, inputs, meshes), beside its
        own folder (the working directory for a text or a dict) and that of the shipped models.
    **parameters
        Values of parameters, as in ``mu=0.1``. They may be numbers with a unit, as in ``m="200 g"``.

    Raises
    ------
    ModelError
        With every mistake in it at once: the lines, carets under them and hints are in its message, records in
        its `diagnostics`.

    Examples
    --------
    >>> import slipstick
    >>> ball = slipstick.Model("bouncing-ball")
    >>> ball.coordinates
    ('y',)
    >>> run = ball.vary({"contacts.floor.restitution": 0.5}).run(until=1.0)
    >>> run.trust
    'trusted'

    A model is also a text:

    >>> block = slipstick.Model('''
    ... slipstick: 1
    ... name: a block on a table
    ... parameters: {m: 2 kg, mu: 0.3, g: 9.81 m/s^2}
    ... coordinates: {x: {rate: 1.5 m/s}}
    ... mass: {x: m}
    ... frictions: {table: {slip: x, limit: mu*m*g}}
    ... ''')
    >>> block.vary(mu=0.5).parameters["mu"]
    0.5

    Models can be compared, hashed, copied and pickled; a model may serve any number of simulations and threads.
    """

    __slots__ = ("_core", "_sets", "_allow")

    def __init__(
        self,
        source: Source,
        changes: Optional[Mapping[str, Any]] = None,
        /,
        *,
        allow: Iterable[Union[str, os.PathLike[str]]] = (),
        **parameters: Any,
    ) -> None:
        sets = _changes(changes, parameters)
        if isinstance(allow, (str, os.PathLike)):
            raise TypeError("allow is a list of folders, as in allow=['parts']")
        self._allow = tuple(os.path.abspath(folder) for folder in allow)
        if isinstance(source, Model):
            if self._allow:
                raise TypeError("a model that was read keeps the folders that it was allowed")
            self._allow = source._allow
            self._take(*source._core.vary(sets), source._sets + tuple(sets))
        elif isinstance(source, Mapping):
            self._read("<dict>", json.dumps(source, indent=2, default=float), sets)
        elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            self._read("<text>", source, sets)
        elif isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            if not isinstance(path, str):
                raise TypeError("a path is a str, not bytes")
            self._read(_shipped.find(path), None, sets)
        else:
            raise TypeError(f"a model is a name, a file, a text or a dict, not {type(source).__name__}")

    def _read(self, name: str, text: Optional[str], sets: list[str]) -> None:
        folders = [*self._allow, os.path.abspath(_shipped.directory())]
        self._take(*_core.read_model(name, text, sets, folders), tuple(sets))

    def _take(self, core: _core.Model, notes: list[tuple], sets: tuple[str, ...]) -> None:
        self._core, self._sets = core, sets
        warn_of(notes, stacklevel=4)

    # ------------------------------------------------------------------------------------- what it is

    @property
    def name(self) -> str:
        """The `name:` of the file."""
        return self._core.name

    @property
    def about(self) -> str:
        """Its `about:`, or ''."""
        return self._core.about

    @property
    def file(self) -> str:
        """Where it was read from; '<text>' or '<dict>' for a model from memory."""
        return self._core.file

    @property
    def kind(self) -> str:
        """'mechanics' (coordinates, masses, contacts) or 'inclusion' (x' in Phi(x))."""
        return self._core.kind

    @property
    def text(self) -> str:
        """The file itself, as read; changes are not in it."""
        return self._core.text()

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters in force, by name. To change one, see `vary`."""
        return MappingProxyType({name: value for name, value, _ in self._core.parameters()})

    @property
    def units(self) -> Mapping[str, str]:
        """Units of the parameters, as far as they are known."""
        return MappingProxyType({name: unit for name, _, unit in self._core.parameters() if unit})

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates that have a mass; their rates have a prime: x'."""
        return self._core.coordinates

    @property
    def changes(self) -> tuple[str, ...]:
        """Overrides that were given, as typed after `--set`: ('mu=0.1',)."""
        return self._sets

    def describe(self) -> str:
        """The system in a few lines: what moves, what pushes, how it is coupled."""
        return self._core.describe()

    def derive(self) -> Derivation:
        """The equations that the program makes of the model; a notebook renders them.

        >>> import slipstick
        >>> print(slipstick.Model("bouncing-ball").derive().splitlines()[0])
        Bouncing ball
        """
        equations = Derivation(self._core.derive(False))
        equations.latex = self._core.derive(True)
        return equations

    @property
    def json(self) -> str:
        """What `slipstick check --json` prints."""
        _core.Sim(self._core, {})  # a model is fine when a run of it could start
        return self._core.json(self._core.describe())

    # --------------------------------------------------------------------------------------- using it

    def vary(self, changes: Optional[Mapping[str, Any]] = None, /, **parameters: Any) -> Model:
        """The model with changes: parameters by name, any other key by its path.

        Numbers are changed in memory, which takes some microseconds; other changes read the text again that the
        model keeps. The result is the same as that of reading the file with all changes, to the last bit.

        >>> import slipstick
        >>> crank = slipstick.Model("slider-crank")
        >>> crank.vary({"run.until": 0.1}, mu=0.1).parameters["mu"]
        0.1
        """
        sets = _changes(changes, parameters)
        varied = object.__new__(Model)
        varied._allow = self._allow
        varied._take(*self._core.vary(sets), self._sets + tuple(sets))
        return varied

    def simulate(
        self,
        formulation: Optional[str] = None,
        *,
        step: Optional[float] = None,
        until: Optional[float] = None,
        integrator: Optional[str] = None,
        solver: Optional[str] = None,
        solver_options: Optional[Mapping[str, Any]] = None,
        max_step: Optional[float] = None,
        relative: Optional[float] = None,
        absolute: Optional[float] = None,
        branch: Optional[str] = None,
        on_disagreement: Optional[str] = None,
        softness: Optional[float] = None,
        sensitivity: Union[None, str, list[str]] = None,
        strict: bool = False,
        threads: Optional[int] = None,
    ) -> Simulation:
        """A simulation at its start, to be stepped. What is not given is as the model says; see `run`.

        >>> import slipstick
        >>> sim = slipstick.Model("bouncing-ball").simulate(step=1e-3, until=0.1)
        >>> while sim.step():
        ...     pass
        >>> sim.outcome, round(sim.t, 9)
        ('done', 0.1)
        """
        from ._sim import Simulation

        return Simulation(
            self,
            given(
                formulation=formulation,
                step=step,
                until=until,
                integrator=integrator,
                solver=solver,
                solver_options=solver_options,
                max_step=max_step,
                relative=relative,
                absolute=absolute,
                branch=branch,
                on_disagreement=on_disagreement,
                softness=softness,
                sensitivity=as_list(sensitivity),
                strict=strict or None,
                threads=threads,
            ),
        )

    def run(
        self,
        formulation: Optional[str] = None,
        *,
        step: Optional[float] = None,
        until: Optional[float] = None,
        every: Optional[float] = None,
        at: Any = None,
        integrator: Optional[str] = None,
        solver: Optional[str] = None,
        solver_options: Optional[Mapping[str, Any]] = None,
        max_step: Optional[float] = None,
        relative: Optional[float] = None,
        absolute: Optional[float] = None,
        branch: Optional[str] = None,
        on_disagreement: Optional[str] = None,
        softness: Optional[float] = None,
        sensitivity: Union[None, str, list[str]] = None,
        strict: bool = False,
        threads: Optional[int] = None,
        companion: bool = True,
        accuracy: Optional[float] = None,
        directory: Union[None, str, "os.PathLike[str]"] = None,
        hdf5: bool = False,
        save: Union[None, str, "os.PathLike[str]"] = None,
        resume: Union[None, str, "os.PathLike[str]"] = None,
        pause: Optional[float] = None,
        progress: Any = None,
    ) -> Run:
        """Run the model to its end. What is not given is as the model says.

        Parameters
        ----------
        formulation : str
            How friction and contact are treated; `slipstick.parts()["formulations"]` lists them.
        step, until : float
            Time step and end of the run, s.
        every, at : float, array
            Record once in so many seconds, or at these times, instead of every step.
        integrator, max_step, relative, absolute
            The integrator of formulations that are ODEs; longest step and errors of integrators that choose their steps.
        solver, solver_options : str, dict
            For the contact problems of the steps.
        branch, on_disagreement, softness
            Settings of single formulations, see docs/cli.md.
        sensitivity : list of str
            Parameters and starts; derivatives by them are added as columns ``d(x)/d(mu)``.
        strict : bool
            End at the first warning that puts the answer in doubt.
        threads : int
            Threads that share each step of a model with detected contacts (1). The bits are the same.
        companion : bool
            Run a second time at another resolution and find up to when both agree: `Run.horizon`.
        accuracy : float
            Agreement that the horizon asks for (0.01).
        directory, hdf5
            Write trajectory.csv, events.csv and summary.json there, and trajectory.h5.
        save, resume, pause
            File to write the state to at the end; file to go on from; time to end at.
        progress : bool or function
            None shows a bar in terminals and notebooks; a function is called with the fraction done and a text.

        Returns
        -------
        Run
            Time, columns as numpy arrays, events, energy, and how far to trust them.

        Examples
        --------
        >>> import slipstick
        >>> run = slipstick.Model("bouncing-ball").run(until=0.5)
        >>> run.t[0], run["y"].shape == run.t.shape
        (0.0, True)
        """
        from ._run import Run

        settings = given(
            formulation=formulation,
            step=step,
            until=until,
            integrator=integrator,
            solver=solver,
            solver_options=solver_options,
            max_step=max_step,
            relative=relative,
            absolute=absolute,
            branch=branch,
            on_disagreement=on_disagreement,
            softness=softness,
            sensitivity=as_list(sensitivity),
            strict=strict or None,
            threads=threads,
        )
        options = given(
            every=every,
            at=at,
            accuracy=accuracy,
            directory=as_path(directory),
            hdf5=hdf5 or None,
            save=as_path(save),
            resume=as_path(resume),
            pause=pause,
        )
        return Run(self, settings, dict(options, companion=companion), progress)

    # --------------------------------------------------------------------------------- leaving Python

    def lab(self, path: Union[None, str, "os.PathLike[str]"] = None) -> Page:
        """The laboratory with this model: one page with sliders, in which the model runs to the same bits. A notebook shows it.

        With `path` the page is also written there. `slipstick.Error` when the library was built without it (`make lab`).
        """
        return Page.made(self.name, path, lambda file: _core.lab(self._core, file))

    def export_c(
        self,
        directory: Union[str, "os.PathLike[str]"],
        formulation: Optional[str] = None,
        *,
        integrator: Optional[str] = None,
        step: Optional[float] = None,
        name: str = "model",
        fix: Iterable[str] = (),
        fix_structure: bool = False,
    ) -> dict[str, Any]:
        """Write the model as C99 without allocation, NAME.h and NAME.c, which take the steps of `run` to the same bits.

        `fix` lists parameters that become numbers; `fix_structure` does so with all that decide what the model is made of. Returns
        what was exported: formulation, integrator, step, and how many states, parameters and outputs there are. A model that
        cannot be exported is a `slipstick.Error` that says why; nothing is written then. See docs/export.md.
        """
        settings = given(formulation=formulation, integrator=integrator, step=step)
        return _core.export(self._core, settings, 0, as_path(directory), name, list(fix), fix_structure)

    def export_fmu(
        self,
        file: Union[str, "os.PathLike[str]"],
        formulation: Optional[str] = None,
        *,
        fmi: int = 3,
        integrator: Optional[str] = None,
        step: Optional[float] = None,
        name: str = "model",
        fix: Iterable[str] = (),
        fix_structure: bool = False,
    ) -> dict[str, Any]:
        """Write the model as an FMU for co-simulation, FMI 2.0 or 3.0, with its sources; the rest is as in `export_c`.

        The command ``slipstick export MODEL --fmu FILE`` also puts a binary into it where there is a compiler.
        """
        if fmi not in (2, 3):
            raise ValueError(f"fmi: 2 or 3, got {fmi!r}")
        settings = given(formulation=formulation, integrator=integrator, step=step)
        return _core.export(self._core, settings, fmi, as_path(file), name, list(fix), fix_structure)

    # -------------------------------------------------------------------------- as Python objects are

    def __repr__(self) -> str:
        changed = f", {', '.join(self._sets)}" if self._sets else ""
        return f"<slipstick.Model {self.name!r} from {self.file}{changed}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return (self.file, self._sets, self.text) == (other.file, other._sets, other.text)

    def __hash__(self) -> int:
        return hash((self.file, self._sets))

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict) -> Model:
        return self

    def __reduce__(self) -> tuple:
        return _unpickle, (self.file, self.text, self._sets, self._allow)


def as_model(model: Union[Model, Source]) -> Model:
    """A model, or what makes one."""
    return model if isinstance(model, Model) else Model(model)


def _unpickle(name: str, text: str, sets: tuple[str, ...], allow: tuple[str, ...] = ()) -> Model:
    model = object.__new__(Model)
    model._allow = allow
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        model._read(name, text, list(sets))
    return model
