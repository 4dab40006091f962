/// base/elementary_kernel.h: the elementary functions, written once for single numbers and for packed ones.
///
/// Before it is included, these are defined for the kind of number wanted:
///     V number, U its bits (64-bit unsigned), M truth value of a comparison of two V
///     V each(double)   U bits(V)   V real(U)   V pick(M, V if true, V if false)   M odd(U)   bool any(M)
///     V magnitude(V)   V with_sign(V of magnitude >= 0, V of sign)   V root(V)
///     multiply_subtract(a, b, c), a b - c with one rounding: a macro of its own name, where there is one
///     void reduce_large(V x, M which, V *hi, V *lo, U *quadrant)   slip_angle_reduce where `which` is true
///
/// There are no branches but for large angles, no tables and no fused operations, so packed numbers go
/// through the same roundings as single ones. `pair` is an unevaluated sum hi + lo with |lo| <= ulp(hi)/2
/// (Dekker, Numer. Math. 18, 1971). Polynomials are minimax fits with coefficients rounded to double
/// (Sollya's fpminimax), named with their interval and error.
// no include guard: one kind of number per file that includes it

typedef struct pair {
    V hi, lo;
} pair;

// a + b for |a| >= |b| or a = 0
static inline pair sum_ordered(V a, V b)
{
    V s = a + b;
    return (pair){ s, b - (s - a) };
}

static inline pair sum(V a, V b)
{
    V s = a + b, t = s - a;
    return (pair){ s, (a - (s - t)) + (b - t) };
}

static inline pair product(V a, V b)
{
#ifdef multiply_subtract // a b - c with one rounding: the same number, if there is no overflow
    V whole = a * b;
    return (pair){ whole, multiply_subtract(a, b, whole) };
#else
    V p = a * b, c = a * 134217729.0, d = b * 134217729.0; // 2^27 + 1 halves a mantissa
    V a1 = c - (c - a), a2 = a - a1, b1 = d - (d - b), b2 = b - b1;
    return (pair){ p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2) };
#endif
}

static inline pair product_of_pairs(pair a, pair b)
{
    pair p = product(a.hi, b.hi);
    return sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a/b for b of moderate size; the correction is left out where it would be lost among subnormal numbers
static inline pair quotient(pair a, pair b)
{
    V q = a.hi / b.hi, inverse = 1.0 / b.hi;
    pair p = product(q, b.hi);
    V rest = ((((a.hi - p.hi) - p.lo) + a.lo) - q * b.lo) * inverse;
    M small = magnitude(q) < 0x1p-900, tiny = small | (M)(magnitude(a.hi) < 0x1p-900);
    return sum_ordered(q, pick(tiny, each(0.0), rest));
}

static inline pair pick_pair(M which, pair a, pair b)
{
    return (pair){ pick(which, a.hi, b.hi), pick(which, a.lo, b.lo) };
}

// ------------------------------------------------------------------------------------- exponential

#define ROUND_TO_INTEGER                                                                                     \
    0x1.8p52 // added to a number below 2^51, it leaves the nearest whole one in the last bits

static inline V power_of_two(V whole) // whole is a number plus ROUND_TO_INTEGER
{
    return real((bits(whole) + 1023) << 52);
}

// v 2^k in two steps, so that only the second may overflow or underflow
static inline V scale(V v, V k)
{
    V half = k * 0.5 + ROUND_TO_INTEGER, rest = (k - (half - ROUND_TO_INTEGER)) + ROUND_TO_INTEGER;
    return v * power_of_two(half) * power_of_two(rest);
}

/// e^(x + rest) = 2^k (1 + r + tail), r + tail = e^(reduced argument) - 1
typedef struct exponential {
    V k, r, tail;
} exponential;

// (e^r - 1 - r)/r^2 for |r| <= ln(2)/2, to 2^-59
static inline V exp_tail(V r)
{
    V r2 = r * r, r4 = r2 * r2;
    V a = (0x1p-1 + r * 0x1.5555555555557p-3) + r2 * (0x1.5555555555557p-5 + r * 0x1.1111111110051p-7);
    V b = (0x1.6c16c16c156a5p-10 + r * 0x1.a01a01ac1dc6dp-13) +
          r2 * (0x1.a01a01ab9879bp-16 + r * 0x1.71de01adc0bbcp-19);
    V c = (0x1.27e4cfaf3fb07p-22 + r * 0x1.af4ec874d6512p-26) + r2 * 0x1.1f86f02d011f3p-29;
    return a + r4 * (b + r4 * c);
}

// for |x| < 2^11 and a rest that is small beside 1
static inline exponential exponential_of(V x, V rest)
{
    V whole = x * 0x1.71547652b82fep0 + ROUND_TO_INTEGER, k = whole - ROUND_TO_INTEGER;
    V first = x - k * 0x1.62e42fefa38p-1, second = k * 0x1.ef35793c7673p-45 - rest; // ln 2 in 42 + 53 bits
    V r = first - second, low = (first - r) - second;
    return (exponential){ k, r, (r * r) * exp_tail(r) + (low + low * r) };
}

// the same as a pair, without the factor 2^k
static inline pair exponential_pair(exponential e)
{
    pair s = sum_ordered(each(1.0), e.r);
    return sum_ordered(s.hi, s.lo + e.tail);
}

static inline V clip(V x, double low, double high) // NaN stays
{
    return pick(x < low, each(low), pick(x > high, each(high), x));
}

static inline V kernel_exp(V x)
{
    exponential e = exponential_of(clip(x, -746.0, 710.0), each(0.0));
    return scale(exponential_pair(e).hi, e.k);
}

// e^x - 1 for 0 <= x < 700
static inline pair expm1_pair(exponential e)
{
    V two_k = power_of_two(e.k + ROUND_TO_INTEGER);
    pair p = sum_ordered(e.r, e.tail), s = sum(two_k - 1.0, two_k * p.hi);
    return sum_ordered(s.hi, s.lo + two_k * p.lo);
}

// E/(E + 2) with E = e^2|x| - 1
static inline V kernel_tanh(V x)
{
    pair e = expm1_pair(exponential_of(clip(2.0 * magnitude(x), 0.0, 50.0), each(0.0))),
         d = sum(e.hi, each(2.0));
    pair q = quotient(e, (pair){ d.hi, d.lo + e.lo });
    return with_sign(q.hi, x);
}

// (E + E/(E + 1))/2 with E = e^|x| - 1; where that is all the same, e^|x|/2
static inline V kernel_sinh(V x)
{
    V a = clip(magnitude(x), 0.0, 711.0), large = each(30.0);
    exponential e = exponential_of(a, each(0.0));
    pair E = expm1_pair(exponential_of(pick(a > large, large, a), each(0.0))), d = sum(E.hi, each(1.0));
    pair q = quotient(E, (pair){ d.hi, d.lo + E.lo }), s = sum_ordered(E.hi, q.hi);
    V small = 0.5 * (s.hi + (s.lo + (E.lo + q.lo)));
    return with_sign(pick(a > large, scale(exponential_pair(e).hi, e.k - 1.0), small), x);
}

// (e^|x| + e^-|x|)/2
static inline V kernel_cosh(V x)
{
    V a = clip(magnitude(x), 0.0, 711.0);
    exponential e = exponential_of(a, each(0.0));
    pair p = exponential_pair(e), inverse = quotient((pair){ each(1.0), each(0.0) }, p);
    V shrink = power_of_two(-2.0 * pick(e.k > 100.0, each(100.0), e.k) + ROUND_TO_INTEGER);
    pair s = sum_ordered(p.hi, inverse.hi * shrink);
    return scale(s.hi + (s.lo + (p.lo + inverse.lo * shrink)), e.k - 1.0);
}

// --------------------------------------------------------------------------------------- logarithm

/// x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for positive finite x.
typedef struct logarithm {
    V k, f;
} logarithm;

static inline logarithm logarithm_of(V x)
{
    M tiny = x < 0x1p-1022;
    V normal = pick(tiny, x * 0x1p54, x);
    U u = bits(normal) + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd); // the latter is sqrt(1/2)
    V k = real((u >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0); // 0x433...: 2^52
    V m = real((u & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
    return (logarithm){ k - pick(tiny, each(54.0), each(0.0)), m - 1.0 };
}

// log(1 + f) = 2 s + s z L(z) with s = f/(2 + f) and z = s^2 <= 0.0295, L to 2^-51; after FreeBSD's e_log.c
static inline V kernel_log(V x)
{
    logarithm l = logarithm_of(x);
    V f = l.f, s = f / (2.0 + f), z = s * s, z2 = z * z, half = 0.5 * f * f;
    V L = ((0x1.5555555555558p-1 + z * 0x1.99999999952b9p-2) +
           z2 * (0x1.2492492dfb9b8p-2 + z * 0x1.c71c62d649d9p-3)) +
          z2 * z2 * ((0x1.7462b925f9dc5p-3 + z * 0x1.39fdcbbcf2b6dp-3) + z2 * 0x1.2b5f5b2f2fd08p-3);
    pair top = sum_ordered(l.k * 0x1.62e42fefa38p-1, f);
    V value = top.hi + (top.lo + ((s * (half + z * L) + l.k * 0x1.ef35793c7673p-45) - half));
    value = pick(x < INFINITY, value, x); // infinity, NaN
    return pick(x > 0.0, value, pick(x < 0.0, each(NAN), pick(x == 0.0, each(-INFINITY), x)));
}

// log x to 2^-65, x positive and finite; 2/(2 n + 1) for n > 2 by a fit to 2^-51
static inline pair log_pair(V x)
{
    logarithm l = logarithm_of(x);
    pair s = quotient((pair){ l.f, each(0.0) }, sum_ordered(each(2.0), l.f));
    pair z = product_of_pairs(s, s);
    V t = z.hi, t2 = t * t;
    V T = ((0x1.2492492492497p-2 + t * 0x1.c71c71c71513cp-3) +
           t2 * (0x1.745d175547197p-3 + t * 0x1.3b13a5069045ap-3)) +
          t2 * t2 * ((0x1.1115a7513511dp-3 + t * 0x1.e01e31b53cf2cp-4) + t2 * 0x1.d9d786785cce5p-4);
    pair c = sum_ordered(each(0x1.5555555555555p-1), t * (0x1.999999999999ap-2 + t * T)); // 2/3, 2/5
    pair h = product_of_pairs(s, product_of_pairs(z, (pair){ c.hi, c.lo + 0x1.5555555555555p-55 }));
    pair m = sum_ordered(2.0 * s.hi, h.hi);
    pair top = sum_ordered(l.k * 0x1.62e42fefa38p-1, m.hi);
    return sum_ordered(top.hi, top.lo + (m.lo + (2.0 * s.lo + (h.lo + l.k * 0x1.ef35793c7673p-45))));
}

static inline M is_whole(V a) // of a magnitude
{
    return (a >= 0x1p52) | ((a + 0x1p52) - 0x1p52 == a);
}

// x^y for x > 0, finite
static inline V power_of_positive(V x, V y)
{
    pair l = log_pair(x);
    V Y = clip(y, -0x1p65, 0x1p65); // x next to 1 is out of range then
    pair e = product(Y, l.hi);
    V top = clip(e.hi, -746.0, 710.0);
    exponential p = exponential_of(top, pick(top == e.hi, e.lo + Y * l.lo, each(0.0)));
    return scale(exponential_pair(p).hi, p.k);
}

static inline V kernel_pow(V x, V y)
{
    V a = magnitude(x), size = magnitude(y), zero = each(0.0), inf = each(INFINITY);
    M inside = (a > 0.0) & (a < INFINITY), whole = is_whole(size), half_whole = is_whole(0.5 * size);
    V p = power_of_positive(pick(inside, a, each(1.0)), y);
    p = pick(a == 0.0, pick(y > 0.0, zero, inf), p);
    p = pick(a == INFINITY, pick(y > 0.0, inf, zero), p);
    V negative = pick(half_whole, p, pick(whole, -p, pick(inside, each(NAN), p)));
    p = pick(odd(bits(x) >> 63), negative, p);
    p = pick((x == x) & (y == y), p, x + y); // NOLINT(misc-redundant-expression): NaN
    return pick((y == 0.0) | (x == 1.0), each(1.0), p);
}

// ------------------------------------------------------------------------------------------ angles

/// x = quadrant pi/2 + hi + lo, |hi| <= pi/4 and a little.
typedef struct angle {
    V hi, lo;
    U quadrant; // its last two bits
} angle;

// pi/2 in 33 + 33 + 33 + 53 bits (Cody and Waite): products with quadrants below 2^20 are exact but the last
static inline angle angle_of(V x)
{
    V whole = x * 0x1.45f306dc9c883p-1 + ROUND_TO_INTEGER, k = whole - ROUND_TO_INTEGER;
    pair a = sum(x - k * 0x1.921fb544p0, k * -0x1.0b4611a6p-34), b = sum(a.hi, k * -0x1.3198a2ep-69);
    pair c = sum_ordered(b.hi, (a.lo + b.lo) - k * 0x1.b839a252049c1p-104);
    angle r = { c.hi, c.lo, bits(whole) };
    M large = magnitude(x) > SLIP_ANGLE_REDUCE_ABOVE;
    if (any(large)) reduce_large(x, large, &r.hi, &r.lo, &r.quadrant);
    return r;
}

// sin(hi + lo) = hi + t; S is (sin x/x - 1)/x^2 in z = x^2 <= (pi/4)^2, to 2^-55. `cut` is what rounding took
// from x^3
static inline pair sine_of(angle a, V cut)
{
    V x = a.hi, z = x * x, z2 = z * z;
    V S = (0x1.1111111110c84p-7 + z * -0x1.a01a019ea17bp-13) +
          z2 * (0x1.71de37b232dbep-19 + z * -0x1.ae6021744cb63p-26) + z2 * z2 * 0x1.5e11b8cb5ff6cp-33;
    V t = x * z * (-0x1.5555555555555p-3 + z * S) + (a.lo * (1.0 - 0.5 * z) - cut * 0x1.5555555555555p-3);
    return sum_ordered(x, t);
}

// cos(hi + lo) = 1 - x^2/2 + x^4 C - x lo; C to 2^-58. `missing` is what rounding took from x^2
static inline pair cosine_of(angle a, V missing)
{
    V x = a.hi, z = x * x, z2 = z * z, half = 0.5 * z;
    V C = (0x1.5555555555555p-5 + z * -0x1.6c16c16c168ccp-10) +
          z2 * (0x1.a01a019f38b9bp-16 + z * -0x1.27e4fa0382f7ep-22) +
          z2 * z2 * (0x1.1eeb586d7493cp-29 + z * -0x1.9073ec3ce2bffp-37);
    pair top = sum_ordered(each(1.0), -half);
    return sum_ordered(top.hi, top.lo + (z2 * C - (x * a.lo + 0.5 * missing)));
}

static inline V turn_sign(V v, U quadrant) // negative for quadrants 2 and 3
{
    return real(bits(v) ^ ((quadrant & 2) << 62));
}

static inline V sine_from(V x, angle a, pair s, pair c)
{
    V value = turn_sign(pick(odd(a.quadrant), c.hi, s.hi), a.quadrant);
    return pick(magnitude(x) < 0x1p-27, x, value);
}

static inline V cosine_from(angle a, pair s, pair c)
{
    return turn_sign(pick(odd(a.quadrant), s.hi, c.hi), a.quadrant + 1);
}

static inline V kernel_sin(V x)
{
    angle a = angle_of(x);
    return sine_from(x, a, sine_of(a, each(0.0)), cosine_of(a, each(0.0)));
}

static inline V kernel_cos(V x)
{
    angle a = angle_of(x);
    return cosine_from(a, sine_of(a, each(0.0)), cosine_of(a, each(0.0)));
}

static inline V kernel_sincos(V x, V *cosine)
{
    angle a = angle_of(x);
    pair s = sine_of(a, each(0.0)), c = cosine_of(a, each(0.0));
    *cosine = cosine_from(a, s, c);
    return sine_from(x, a, s, c);
}

static inline V kernel_tan(V x)
{
    angle a = angle_of(x);
    pair square = product(a.hi, a.hi), cube = product(a.hi, square.hi);
    pair s = sine_of(a, cube.lo + a.hi * square.lo), c = cosine_of(a, square.lo), minus = { -c.hi, -c.lo };
    M turned = odd(a.quadrant);
    pair q = quotient(pick_pair(turned, minus, s), pick_pair(turned, s, c));
    return pick(magnitude(x) < 0x1p-27, x, q.hi);
}

// --------------------------------------------------------------------------------- inverse functions

// (atan q/q - 1)/z in z = q^2 <= tan(pi/8)^2, to 2^-55
static inline V atan_tail(V z)
{
    V z2 = z * z, z4 = z2 * z2;
    V a = (-0x1.5555555555555p-2 + z * 0x1.9999999999815p-3) +
          z2 * (-0x1.2492492481cbep-3 + z * 0x1.c71c71bca8eaep-4);
    V b = (-0x1.745d15680755cp-4 + z * 0x1.3b137c240396p-4) +
          z2 * (-0x1.110d2f18fa6fcp-4 + z * 0x1.e17f3cbf8ff26p-5);
    V c = (-0x1.abcc3d95ab49cp-5 + z * 0x1.72169dbe5a84dp-5) +
          z2 * (-0x1.14bd80cb5f8fap-5 + z * 0x1.fb81f76bf14ffp-7);
    return a + z4 * (b + z4 * c);
}

static inline pair angle_less(double hi, double lo, pair a) // (hi + lo) - a, hi the larger
{
    pair s = sum_ordered(each(hi), -a.hi);
    return (pair){ s.hi, s.lo + (lo - a.lo) };
}

// The angle of (x, y), both >= 0, finite and not both zero, in the quadrant where x is -x when `left`: that
// of the smaller over the larger, or from the diagonal, whichever is below pi/8.
static inline V angle_in_plane(pair y, pair x, M left)
{
    M steep = y.hi > x.hi;
    pair small = pick_pair(steep, x, y), large = pick_pair(steep, y, x);
    M diagonal = small.hi > large.hi * 0x1.a827999fcef32p-2; // tan(pi/8)
    pair less = sum_ordered(large.hi, -small.hi), more = sum_ordered(large.hi, small.hi);
    less.lo += large.lo - small.lo;
    more.lo += large.lo + small.lo;
    pair q = quotient(pick_pair(diagonal, less, small), pick_pair(diagonal, more, large));
    V z = q.hi * q.hi;
    pair a = { q.hi, q.hi * z * atan_tail(z) + q.lo * (1.0 - z) };
    a = pick_pair(diagonal, angle_less(0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55, a), a);
    a = pick_pair(steep, angle_less(0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, a), a);
    a = pick_pair(left, angle_less(0x1.921fb54442d18p1, 0x1.1a62633145c07p-53, a), a);
    return a.hi + a.lo;
}

static inline V kernel_atan2(V y, V x)
{
    V a = magnitude(y), b = magnitude(x);
    M y_inf = a == INFINITY, x_inf = b == INFINITY, none = (a == 0.0) & (b == 0.0);
    a = pick(y_inf, each(1.0), pick(x_inf, each(0.0), a));
    b = pick(x_inf | none, each(1.0), pick(y_inf, each(0.0), b));
    V most = pick(a > b, a, b);
    V factor = pick(most > 0x1p900, each(0x1p-200), pick(most < 0x1p-800, each(0x1p200), each(1.0)));
    pair Y = { a * factor, each(0.0) }, X = { b * factor, each(0.0) };
    V value = with_sign(angle_in_plane(Y, X, odd(bits(x) >> 63)), y);
    return pick((x == x) & (y == y), value, x + y); // NOLINT(misc-redundant-expression): NaN
}

static inline V kernel_atan(V x)
{
    return kernel_atan2(x, each(1.0));
}

// sqrt(1 - x^2), NaN for |x| > 1
static inline pair other_leg(V x)
{
    pair square = product(x, x), w = sum_ordered(each(1.0), -square.hi);
    w = sum_ordered(w.hi, w.lo - square.lo);
    V s = root(w.hi);
    pair s2 = product(s, s);
    V rest = (((w.hi - s2.hi) - s2.lo) + w.lo) / (2.0 * s);
    return (pair){ s, pick(s == 0.0, each(0.0), rest) };
}

static inline V kernel_asin(V x)
{
    pair leg = { magnitude(x), each(0.0) }, other = other_leg(x);
    return with_sign(angle_in_plane(leg, other, odd(bits(x) & 0)), x);
}

static inline V kernel_acos(V x)
{
    pair leg = { magnitude(x), each(0.0) };
    return angle_in_plane(other_leg(x), leg, odd(bits(x) >> 63));
}
