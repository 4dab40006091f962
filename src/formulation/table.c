/// formulation/table.c: the formulations there are. One line each.
#include "run/method.h"

extern const slip_formulation slip_formulation_dai;
extern const slip_formulation slip_formulation_moreau;
extern const slip_formulation slip_formulation_lcp, slip_formulation_gauss;
extern const slip_formulation slip_formulation_kelvin_voigt, slip_formulation_hunt_crossley, slip_formulation_tanh;
extern const slip_formulation slip_formulation_auto;
extern const slip_formulation slip_formulation_modular;

static const slip_formulation *const formulations[] = {
    &slip_formulation_dai,    // sat/max ODE, paper 000
    &slip_formulation_modular, // fricK and fricKN, paper 002
    &slip_formulation_moreau, // time stepping with impacts, paper 004
    &slip_formulation_lcp,    // event driven, contact LCP, papers 001 and 003
    &slip_formulation_gauss,  // event driven, least constraint, paper 003
    &slip_formulation_kelvin_voigt,  // compliant contacts, paper 001
    &slip_formulation_hunt_crossley, // the same with Hertz springs
    &slip_formulation_tanh,          // the same with smooth friction
    &slip_formulation_auto,          // rigid while trusted, compliant where not
};

const slip_formulation *slip_formulation_at(int k)
{
    return k >= 0 && k < (int)(sizeof formulations / sizeof *formulations) ? formulations[k] : NULL;
}
