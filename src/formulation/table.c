/// formulation/table.c: the formulations there are. One line each.
#include "run/method.h"

extern const slip_formulation slip_formulation_dai;
extern const slip_formulation slip_formulation_moreau;
extern const slip_formulation slip_formulation_lcp, slip_formulation_gauss;
extern const slip_formulation slip_formulation_kelvin_voigt, slip_formulation_hunt_crossley,
    slip_formulation_tanh;
extern const slip_formulation slip_formulation_auto;
extern const slip_formulation slip_formulation_modular;

static const slip_formulation *const formulations[] = {
    &slip_formulation_dai,           // sat/max ODE, Xiong 2013
    &slip_formulation_modular,       // fricK and fricKN, Kikuuwe 2008
    &slip_formulation_moreau,        // time stepping with impacts, Flores 2010
    &slip_formulation_lcp,           // event driven, contact LCP, Song 2001 and Gomez 2008
    &slip_formulation_gauss,         // event driven, least constraint, Gomez 2008
    &slip_formulation_kelvin_voigt,  // compliant contacts, Song 2001
    &slip_formulation_hunt_crossley, // the same with Hertz springs
    &slip_formulation_tanh,          // the same with smooth friction
    &slip_formulation_auto,          // rigid while trusted, compliant where not
};

const slip_formulation *slip_formulation_at(int k)
{
    return k >= 0 && k < (int)(sizeof formulations / sizeof *formulations) ? formulations[k] : NULL;
}
