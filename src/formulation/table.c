/// formulation/table.c: the formulations there are. One line each.
#include "run/method.h"

extern const slip_formulation slip_formulation_dai;
extern const slip_formulation slip_formulation_moreau;
extern const slip_formulation slip_formulation_lcp, slip_formulation_gauss;

static const slip_formulation *const formulations[] = {
    &slip_formulation_dai,    // sat/max ODE, paper 000
    &slip_formulation_moreau, // time stepping with impacts, paper 004
    &slip_formulation_lcp,    // event driven, contact LCP, papers 001 and 003
    &slip_formulation_gauss,  // event driven, least constraint, paper 003
};

const slip_formulation *slip_formulation_at(int k)
{
    return k >= 0 && k < (int)(sizeof formulations / sizeof *formulations) ? formulations[k] : NULL;
}
