"""Complementarity and friction problems."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _core
from ._answer import Answer
from ._arguments import as_sets

if TYPE_CHECKING:
    import numpy as np


class Solution(Answer):
    """Answers of solvers to one problem.

    `z` and `w` are those of the first answer, as arrays; `outcome`, `residual`, `iterations`, `solver` likewise. `answers` has all
    of them.
    """

    @property
    def _first(self) -> Mapping[str, Any]:
        if not self["answers"]:
            raise ValueError("no solver takes this problem")
        return self["answers"][0]

    @property
    def z(self) -> np.ndarray:
        """The unknowns."""
        import numpy as np

        return np.array(self._first["z"], dtype=float)

    @property
    def w(self) -> np.ndarray:
        """W z + q."""
        import numpy as np

        return np.array(self._first["w"], dtype=float)

    @property
    def outcome(self) -> str:
        """'converged', or how it fell short."""
        return self._first["outcome"]

    @property
    def converged(self) -> bool:
        """Whether the residual, computed from the data, is below the tolerance."""
        return self.outcome == "converged"

    @property
    def residual(self) -> float:
        """How wrong the answer is (docs/solvers.md)."""
        return self._first["residual"]

    def __repr__(self) -> str:
        lines = [f"{a['solver']}: {a['outcome']}, residual {a['residual']}, {a['iterations']} iterations" for a in self["answers"]]
        return "\n".join([f"{self['problem']['kind']}, {self['problem']['size']} unknowns", *lines])


def _matrix(matrix: Any, what: str) -> Optional[tuple]:
    """A matrix as the extension takes it: dense, or in compressed rows of blocks."""
    import numpy as np

    if matrix is None:
        return None
    if hasattr(matrix, "tocsr"):
        block = 1
        if what == "W" and getattr(matrix, "format", "") == "bsr" and matrix.blocksize[0] == matrix.blocksize[1]:
            block = matrix.blocksize[0]
        else:
            matrix = matrix.tocsr()
        matrix = matrix.copy()
        matrix.sum_duplicates()
        start, column = (np.ascontiguousarray(each, dtype=np.int32) for each in (matrix.indptr, matrix.indices))
        return (*matrix.shape, block, start, column, np.ascontiguousarray(matrix.data, dtype=float))
    dense = np.ascontiguousarray(matrix, dtype=float)
    if dense.ndim != 2:
        raise ValueError(f"{what}: a matrix has two dimensions, got {dense.ndim}")
    if what in ("M", "H"):  # these are stored in compressed rows
        rows, columns = np.nonzero(dense)
        start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))]).astype(np.int32)
        return (*dense.shape, 1, start, columns.astype(np.int32), np.ascontiguousarray(dense[rows, columns]))
    return (*dense.shape, dense)


def _vector(vector: Any, what: str) -> Any:
    import numpy as np

    if vector is None:
        return None
    found = np.ascontiguousarray(vector, dtype=float)
    if found.ndim != 1:
        raise ValueError(f"{what}: a vector has one dimension, got {found.ndim}")
    return found


def solve(
    W: Any = None,
    q: Any = None,
    *,
    mu: Any = None,
    lower: Any = None,
    upper: Any = None,
    equalities: int = 0,
    A: Any = None,
    b: Any = None,
    M: Any = None,
    H: Any = None,
    f: Any = None,
    w: Any = None,
    solver: Optional[str] = "auto",
    options: Optional[Mapping[str, Any]] = None,
    name: Optional[str] = None,
) -> Solution:
    """Solve one complementarity or friction problem: `slipstick solve`.

    What is given says which problem it is; with ``z`` unknown and ``w = W z + q``:

    ======================  ====================================================================
    ``W, q``                LCP: 0 <= z, w >= 0, z'w = 0
    ``W, q, equalities``    mixed LCP: the first rows are equations
    ``W, q, lower, upper``  box: z between bounds
    ``W, q, mu``            Coulomb contacts, normal first, in the plane or in space
    ``M, H, f, w, mu``      the same with its dynamics, M v = H r + f, u = H'v + w
    ``W, q, A, b``          QP: min 1/2 x'Wx + q'x with A x >= b (and lower, upper)
    ``"file.nsp"``          a problem file (docs/solvers.md)
    ======================  ====================================================================

    Matrices are numpy arrays or matrices of scipy.sparse. `solver` is a name, or None for all that take the problem;
    `options` are theirs, as in ``{"tolerance": 1e-12}``. One residual, computed from the data afterwards, decides what is
    converged.

    Examples
    --------
    >>> import slipstick
    >>> found = slipstick.solve([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    >>> found.z, found.converged
    (array([1.33333333, 2.33333333]), True)
    """
    given = as_sets(options or {})
    if isinstance(W, (str, os.PathLike)):
        return Solution(_core.solve(None, os.fspath(W), solver, given))
    q, mu, lower, upper, b, f, w = (
        _vector(each, what) for each, what in ((q, "q"), (mu, "mu"), (lower, "lower"), (upper, "upper"), (b, "b"), (f, "f"), (w, "w"))
    )
    matrices = {what: _matrix(each, what) for what, each in (("W", W), ("M", M), ("H", H), ("A", A))}
    kind, size = _kind(q, mu, lower, upper, equalities, b, w, matrices)
    contacts = 0 if mu is None else len(mu)
    dofs = 0 if f is None else len(f)
    constraints = 0 if b is None or kind != "QP" else len(b)
    problem = (
        kind, size, contacts, equalities, matrices["W"], q, mu, lower, upper, dofs, matrices["M"], matrices["H"], f, w,
        constraints, matrices["A"], b, name,
    )  # fmt: skip
    return Solution(_core.solve(problem, None, solver, given))


def _kind(q: Any, mu: Any, lower: Any, upper: Any, equalities: int, b: Any, w: Any, matrices: Mapping) -> tuple[str, int]:
    if mu is not None:
        unknowns = w if matrices["M"] is not None else q
        if unknowns is None:
            raise TypeError("contacts need W, q and mu, or M, H, f, w and mu")
        if len(mu) == 0 or len(unknowns) not in (2 * len(mu), 3 * len(mu)):
            raise ValueError(f"mu: {len(unknowns)} unknowns do not make 2 or 3 for each of {len(mu)} contacts")
        dimension = len(unknowns) // len(mu)
        return f"{'G' if matrices['M'] is not None else ''}FC{dimension}D", len(unknowns)
    if q is None or matrices["W"] is None:
        raise TypeError("a problem needs W and q, or the name of its file")
    if matrices["A"] is not None:
        if b is None:
            raise TypeError("constraints need A and b")
        return "QP", len(q) + len(b)
    if lower is not None or upper is not None:
        if lower is None or upper is None:
            raise TypeError("a box has lower and upper; use infinities for none")
        return "RELAY", len(q)
    return ("MLCP" if equalities else "LCP"), len(q)
