/// problem.h: complementarity problems, how to state them, read them, and say how wrong an answer is.
///
/// Every problem asks for z and w with
///     w = W z + q      and a law between z and w, block by block.
///
///     kind    law                                                            data
///     LCP     0 <= z _|_ w >= 0                                              W q
///     MLCP    w_e = 0 (first `equalities` rows), 0 <= z_c _|_ w_c >= 0       W q
///     RELAY   lower <= z <= upper, -w in the normal cone of the box at z     W q lower upper
///     FC2D    Coulomb contacts in the plane, unknowns (r_N, r_T) each        W q mu
///     FC3D    Coulomb contacts in space, unknowns (r_N, r_T1, r_T2) each     W q mu
///     GFC2D   the same with the dynamics written out: M v = H r + f,         M H f w mu
///     GFC3D       u = H' v + w; slip_problem_condense() makes FC2D / FC3D
///     QP      min 1/2 x'Qx + q'x, A x >= b (first `equalities` rows: =),     W=Q q A b lower upper
///             lower <= x <= upper; z = (x, multipliers of A x >= b)
///
/// Contacts: z = r impulse (or force), w = u relative velocity (or acceleration), normal first. Law:
///     K* contains u + mu |u_T| e_N  _|_  r in K = { |r_T| <= mu r_N }        exact circular cone
/// that is: no penetration, no pull, |r_T| <= mu r_N, and r_T against u_T when it slips. The operator
/// W = G M^-1 G' (Delassus) is a matrix, dense or block-sparse, or is never formed (slip_matrix).
///
/// One residual per kind judges every solver (slip_residual). Nothing here prints or keeps state.
#ifndef SLIPSTICK_PROBLEM_H
#define SLIPSTICK_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIP_KINDS(X)                                                                                        \
    X(LCP, "LCP", "linear complementarity problem")                                                          \
    X(MLCP, "MLCP", "mixed LCP: equations and complementarity")                                              \
    X(RELAY, "RELAY", "box-constrained LCP")                                                                 \
    X(FC2D, "FC2D", "planar Coulomb friction")                                                               \
    X(FC3D, "FC3D", "spatial Coulomb friction, circular cone")                                               \
    X(GFC2D, "GFC2D", "planar friction with its dynamics")                                                   \
    X(GFC3D, "GFC3D", "spatial friction with its dynamics")                                                  \
    X(QP, "QP", "convex quadratic program")

#define SLIP_KIND_AS_ENUM(name, word, text) SLIP_KIND_##name,
typedef enum slip_kind { SLIP_KINDS(SLIP_KIND_AS_ENUM) SLIP_KIND_COUNT } slip_kind;

const char *slip_kind_name(slip_kind kind); ///< "FC3D"; never NULL
const char *slip_kind_text(slip_kind kind); ///< one line; never NULL

/// How a matrix is stored.
typedef enum slip_matrix_form {
    SLIP_DENSE,    ///< values, row-major
    SLIP_SPARSE,   ///< square blocks in compressed rows; block = 1 is plain CSR
    SLIP_DELASSUS, ///< G M^-1 G' never formed: G in compressed rows, M^-1 block-diagonal
    SLIP_CALLBACK  ///< y = W x by a function of yours
} slip_matrix_form;

/// A matrix or operator. All arrays are borrowed and must outlive it. Fill the fields of one form,
/// by hand or with the slip_matrix_... functions below, and leave the rest 0.
typedef struct slip_matrix {
    slip_matrix_form form;
    int rows, cols;
    const double *values; ///< DENSE rows x cols; SPARSE block x block numbers per entry, row-major

    int block;            ///< SPARSE side of a block: 1, or the contact dimension 2 or 3
    const int *row_start; ///< SPARSE rows/block + 1 entries
    const int *column;    ///< SPARSE block column of each entry, ascending within a row

    const struct slip_matrix *G; ///< DELASSUS rows x dofs, SPARSE with block 1
    int body_count;              ///< DELASSUS number of diagonal blocks of M^-1
    const int *body_start;       ///< DELASSUS first dof of each body; body_count + 1 entries
    const double *body_inverse;  ///< DELASSUS the blocks of M^-1 one after another, row-major
    double *scratch;             ///< DELASSUS 2 dofs numbers that applying it may overwrite

    void (*apply)(void *user, const double *x, double *y);       ///< CALLBACK y = W x
    void (*diagonal)(void *user, int at, int side, double *out); ///< CALLBACK diagonal block `at`
    void *user;                                                  ///< CALLBACK handed back
} slip_matrix;

/// A dense matrix over values of the caller, row-major (borrowed).
slip_matrix slip_matrix_dense(int rows, int cols, const double *values);

/// A sparse matrix of square blocks of side `block` over arrays of the caller (borrowed): block row i has
/// the blocks row_start[i] to row_start[i + 1].
slip_matrix slip_matrix_sparse(int rows, int cols, int block, const int *row_start, const int *column,
                               const double *values);

/// y = A x. DELASSUS uses its scratch, so one problem belongs to one thread at a time.
void slip_matrix_apply(const slip_matrix *A, const double *x, double *y);

/// Diagonal block `at` of side `side`, row-major into out. DELASSUS uses its scratch.
void slip_matrix_diagonal(const slip_matrix *A, int at, int side, double *out);

typedef struct slip_problem {
    slip_kind kind;
    int size;       ///< unknowns in z; d contacts for FC and GFC; variables + constraints for QP
    int contacts;   ///< FC, GFC
    int equalities; ///< MLCP leading rows of W, QP leading rows of A
    slip_matrix W;  ///< the M of an LCP, the W of contacts, the Q of a QP (symmetric, semidefinite)
    const double *q;
    const double *mu;            ///< FC, GFC one per contact, >= 0
    const double *lower, *upper; ///< RELAY, QP; infinities allowed; NULL for none (QP)

    int dofs;            ///< GFC
    slip_matrix M, H;    ///< GFC dofs x dofs, dofs x size
    const double *f, *w; ///< GFC

    slip_matrix A; ///< QP constraints x variables, dense
    const double *b;

    const char *name; ///< for messages; may be NULL
} slip_problem;

/// The common cases, from arrays of the caller (borrowed); W is dense, row-major.
slip_problem slip_problem_lcp(int size, const double *W, const double *q);

/// Coulomb contacts in the plane (dimension 2) or in space (3).
slip_problem slip_problem_contacts(int dimension, int contacts, const double *W, const double *q,
                                   const double *mu);
/// min 1/2 x'Qx + c'x with A x >= b and x >= lower (NULL for free). Gomez 2008 (2.39) is c = 0, lower = 0.
slip_problem slip_problem_qp(int variables, const double *Q, const double *c, int constraints,
                             const double *A, const double *b, const double *lower);

/// Unknowns per block: 2 or 3 for contacts, else 1.
int slip_problem_block(const slip_problem *p);

/// Shapes agree, numbers are finite, mu >= 0, lower <= upper. Every reader calls it; a caller that
/// fills a problem by hand may.
slip_status slip_problem_check(const slip_problem *p, slip_error *error);

/// An NSP text or file (docs/solvers.md has the format). On success *out is to be released with
/// slip_problem_destroy(). `name` is used in messages. Errors say file:line.
slip_status slip_problem_read_file(const char *path, slip_error *error, slip_problem **out);

/// The same from memory; `name` stands for the file in messages.
slip_status slip_problem_read_text(const char *name, const char *text, size_t length, slip_error *error,
                                   slip_problem **out);
void slip_problem_destroy(slip_problem *p); ///< of the two readers and condense only; NULL is fine

/// The contact problem of a global one, W = H' M^-1 H, q = H' M^-1 f + w, W block-sparse; also turns a
/// DELASSUS operator into a matrix. M is factored component by component (bodies that M does not
/// couple stay apart).
slip_status slip_problem_condense(const slip_problem *p, slip_error *error, slip_problem **out);

/// ---- how wrong an answer is ------------------------------------------------------------------
///
/// The residual is the larger of two numbers, ||.|| being the 2-norm:
///     the whole       || e / D || / || q / D ||
///     the worst row   1e-2 max_a  |e_a| / ( sqrt(blocks) |s_a| )
/// e is the error of each row of w = W z + q, s_a = |q_a| + sum |W_ab| |z_b| the size of its terms.
///
///     contacts, v = u + mu |u_T| e_N    e = (r - P(r - rho v)) / rho, P on K, rho = d / trace |W_aa|;
///                                       D = 1: all rows are velocities
///     box kinds (LCP, MLCP, RELAY, QP)  e = w between the bounds; 0 on a bound that w pushes against. An
///                                       unknown near a bound is put there and counts with what that does
///                                       to every row. D_i^2 = |W_ii|, or the largest entry of the row
///                                       where that is zero
///
/// So for a box problem: z, its entries near a bound put there, solves exactly the problem with q + e in
/// place of q. For positive definite W this bounds z as well, c being the smallest eigenvalue of D^-1 W D^-1:
///     || D (z - z*) || <= || e / D || / c
///
/// Neither number changes with the unit of force or of velocity, the one of boxes not with the unit of a
/// single unknown either. The worst row keeps a small row from hiding behind large ones, and neither can be
/// absorbed by a huge z: w is computed with twice the digits where plain sums would round off too much.
/// A QP is judged as the box problem of its optimality conditions, [Q -A'; A 0] and (q, -b).
typedef struct slip_residuals {
    double invariant; ///< the one that decides; NaN or infinite answers give infinity
    double standard;  ///< as Siconos tests contacts: rho = 1, over max(||q||, ||r||, ||u||); else the same
    double rounding;  ///< how much of `invariant` may be rounding; 1e-12 at the most where W is stored
} slip_residuals;

/// Residual of z, with w = W z + q computed into w (size numbers; must not be NULL).
slip_residuals slip_residual(const slip_problem *p, const double *z, double *w);

/// ---- planar friction as an LCP (Flores 2010, eq 85) ----------------------------------------------
///
/// x = (P_N, P_R, xi_L), y = (xi_N, xi_R, P_L) with P_R = mu P_N + P_T, P_L = mu P_N - P_T, all
/// contacts' P_N first, then all P_R, then all xi_L:
///     A = [ W_NN - W_NT mu   W_NT   0 ]       b = [ q_N ]
///         [ W_TN - W_TT mu   W_TT   I ]           [ q_T ]
///         [      2 mu         -I    0 ]           [  0  ]
/// W is the dense Delassus matrix of the contacts in the order N T N T ...; restitution is in q:
/// q_N = gamma_N (1 + eps_N) + W_N' M^-1 h dt and likewise q_T (slip_planar_free_velocity).
void slip_lcp_from_planar(int contacts, const double *W, const double *q, const double *mu, double *A,
                          double *b);

/// r = (P_N, P_T) per contact from the LCP's x: P_T = P_R - mu P_N.
void slip_planar_from_lcp(int contacts, const double *mu, const double *x, double *r);

/// q of eq 85: free[i] is the velocity increment without impulses, before[i] the velocity before,
/// eps[i] the restitution coefficient of that direction; n numbers each.
void slip_planar_free_velocity(int n, const double *free, const double *before, const double *eps, double *q);

#ifdef __cplusplus
}
#endif
#endif
