#!/usr/bin/env bash
# libm.sh LIBRARY: elementary functions are the library's own (base/elementary.h), so that trajectories have the same bits on
# every machine. Of the C library's only those may be used that are exact, and in fits, which are statistics, erf.
set -u
functions='sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|lgamma|tgamma'
wrong=$(nm -A "$1" 2>/dev/null | grep -E " U _*($functions)(_finite)?\$" | grep -v 'correlated_residuals\.c\.o:.* erf$')
[ -z "$wrong" ] && exit 0
echo "these use the C library's elementary functions:"
echo "$wrong"
exit 1
