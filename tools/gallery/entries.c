/// entries.c: what each shipped model is known for, and how to read it off a run.
#include <math.h>
#include <string.h>

#include "gallery.h"

#define AT(name, time)                FACT_AT, .column = name, .from = time
#define END(name)                     FACT_AT, .column = name, .from = INFINITY
#define EVENT(kind, element, number)  FACT_EVENT, .column = element, .other = kind, .count = number
#define PERIOD(kind, element, number) FACT_PERIOD, .column = element, .other = kind, .count = number
#define VERDICT                       FACT_VERDICT, .column = ""
#define GAIN                          FACT_GAIN, .column = ""
#define MAX(name, a, b)               FACT_MAX, .column = name, .from = a, .to = b
#define MIN(name, a, b)               FACT_MIN, .column = name, .from = a, .to = b
#define RATE(name, a, b)              FACT_RATE, .column = name, .from = a, .to = b
#define REACH(name, value, a)         FACT_REACH, .column = name, .level = value, .from = a
#define WHEN(name, of, value, a)      FACT_WHEN, .column = name, .other = of, .level = value, .from = a

static const char XIONG[] = "Xiong 2013", SONG[] = "Song 2001", KIKUUWE[] = "Kikuuwe 2008",
                  GOMEZ[] = "Gomez 2008", FLORES[] = "Flores 2010", EXACT[] = "closed form";

// clang-format off
static const entry entries[] = {
    { "xiong/friction-mass", .curves = { "p" }, .end = 4.0, .ghosts = 3,
      .facts = { { "it stops for good: drift over 113 periods of the shaking, 2.9 s to 10 s", "0", "m/s", XIONG, 1e-6, RATE("p", 2.9, 10) },
                 { "speed when the push ends, t = 2 s, of the rigid law", "0.02725", "m/s", EXACT, 2e-4, AT("p'", 2) } } },
    { "xiong/friction-mass-lugre", .curves = { "p" }, .end = 4.0, .ghosts = 3,
      .facts = { { "LuGre friction creeps under the same shaking: drift from 3 s to 10 s, about", "1.2e-3", "m/s", XIONG, 5e-5, RATE("p", 3, 10) } } },
    { "xiong/bouncing-mass", .curves = { "p" }, .ghosts = 4, .end = 1.05, .begin = 0.45,
      .facts = { { "first contact, sqrt(2 p/g)", "0.45175", "s", EXACT, 1e-3, EVENT("contact", "floor", 1) },
                 { "first rebound with alpha = 7 ms", "0.7726", "m", XIONG, 1e-3, MAX("p", 0.5, 1.4) } } },
    { "xiong/rolling-sphere", .curves = { "px'", "slip" }, .end = 1.9, .ghosts = 7,
      .facts = { { "it ends up rolling: speed at 5 s, 5/7 of 5.5 m/s", "3.928571", "m/s", EXACT, 1e-5, END("px'") },
                 { "slip ends inside the fourth impact", "1.66", "s", XIONG, 1e-2, EVENT("stick", "f", 1) } } },
    { "xiong/rolling-sphere-mechanics", .curves = { "x'", "slip" }, .end = 1.9, .ghosts = 7,
      .facts = { { "speed at 5 s, 5/7 of 5.5 m/s", "3.928571", "m/s", EXACT, 1e-4, END("x'") } } },
    { "xiong/two-masses-conveyor", .curves = { "p1y", "p2x" }, .ghosts = 4, .end = 2.0,
      .facts = { { "friction holds M1 away from the balance of its spring: p1y at rest, from -0.0392 to", "0.0653", "m", XIONG, 0.1045, END("p1y") } } },
    { "xiong/two-masses-conveyor-mechanics", .curves = { "p1y", "p2x" }, .ghosts = 4, .end = 2.0,
      .facts = { { "p1y at rest, from -0.0392 to", "0.0653", "m", XIONG, 0.1045, END("p1y") },
                 { "no creep: drift of p1y from 3 s to 4 s", "0", "m/s", XIONG, 1e-6, RATE("p1y", 3, 4) } } },
    { "xiong/stick-slip", .curves = { "p", "w" }, .end = 16.0, .ghosts = 4,
      .facts = { { "w = 0 for the first time", "6.8493", "s", EXACT, 1e-3, REACH("w", 0, 1) } } },
    { "xiong/stick-slip-smoothed", .curves = { "p", "w" }, .end = 16.0, .ghosts = 4,
      .facts = { { "p at 5 s, for steps towards 0", "-1.4111911", "m", EXACT, 1e-4, AT("p", 5) } } },
    { "song/rod-case1", .curves = { "vT", "N" }, .ghosts = 6,
      .facts = { { "the tip slides left, stops and slides right, at approximately", "0.205", "s", SONG, 3e-3, REACH("vT", 0, 0.1) } } },
    { "song/rod-case2", .curves = { "N", "F" }, .ghosts = 4,
      .facts = { { "more than one solution at the start; verdict", "ambiguous", "", SONG, 0, VERDICT } } },
    { "song/rod-case2-printed", .curves = { "N", "F" }, .ghosts = 4,
      .facts = { { "the printed data give one solution, which sticks: N at the start", "8.436", "N", EXACT, 1e-3, AT("N", 0) } } },
    { "song/table1", .curves = { "N" }, .ghosts = 3,
      .facts = { { "A < 0, B > 0: two solutions; verdict", "ambiguous", "", SONG, 0, VERDICT } } },
    { "kikuuwe/sphere", .curves = { "px'", "slip" }, .ghosts = 6,
      .facts = { { "the contact point comes to rest", "0.58", "s", KIKUUWE, 0.01, REACH("slip", 1e-3, 0.01) },
                 { "then it rolls, with 5/7 of 2 m/s", "1.428571", "m/s", EXACT, 1e-5, END("px'") } } },
    { "kikuuwe/two-link", .curves = { "th0", "th1" }, .ghosts = 5,
      .facts = { { "it stops, around 4.5 s, and stays: drift of joint 0 from 6 s to 10 s", "0", "rad/s", KIKUUWE, 2e-5, RATE("th0", 6, 10) },
                 { "where the rigid arm rests, joint 1", "2.451734", "rad", EXACT, 5e-4, END("th1") } } },
    { "kikuuwe/two-link-dahl", .curves = { "th0", "th1" }, .ghosts = 5,
      .facts = { { "with Dahl friction the angles drift: joint 1, 6 s to 10 s", "7.142e-3", "rad/s", KIKUUWE, 2e-5, RATE("th1", 6, 10) } } },
    { "kikuuwe/two-link-lugre", .curves = { "th0", "th1" }, .ghosts = 5,
      .facts = { { "with LuGre friction the angles drift: joint 1, 6 s to 10 s", "6.322e-3", "rad/s", KIKUUWE, 2e-5, RATE("th1", 6, 10) } } },
    { "gomez/particle-between-planes", .curves = { "N1", "N2" }, .ghosts = 5,
      .facts = { { "least constraint puts the weight on the lower plane: N1 = m g", "9.80665", "N", GOMEZ, 1e-5, AT("N1", 0) },
                 { "it stops after v0/(mu g)", "0.3399054", "s", EXACT, 1e-6, EVENT("stick", "low", 1) } } },
    { "gomez/painleve-rod", .curves = { "N" }, .ghosts = 4,
      .facts = { { "N/(m g) at 30 degrees", "1.3421814", "", GOMEZ, 1e-6, AT("N", 0) } } },
    { "gomez/sliding-block", .curves = { "N1", "N2" }, .ghosts = 2,
      .facts = { { "load of the leading corner over m g, (w + mu h)/(2 w)", "0.75", "", GOMEZ, 1e-9, AT("N1", 0) },
                 { "and of the rear one", "0.25", "", GOMEZ, 1e-9, AT("N2", 0) } } },
    { "gomez/journal-pendulum", .curves = { "th" }, .ghosts = 4, .end = 0.41,
      .facts = { { "where it turns first, brass with two washers", "-2.986459", "rad", GOMEZ, 1e-4, MIN("th", 0, 1) },
                 { "where it stops", "-1.574429", "rad", GOMEZ, 1e-4, END("th") } } },
    { "gomez/journal-pendulum-bodies", .curves = { "th" }, .ghosts = 4, .end = 0.41,
      .facts = { { "where it turns first, as with formulas", "-2.986459", "rad", GOMEZ, 1e-4, MIN("th", 0, 1) } } },
    { "gomez/pendulum-empirical", .curves = { "th" }, .ghosts = 4, .end = 0.4,
      .facts = { { "first turn, where sin(th) = mu th", "-3.0499655", "rad", EXACT, 1e-4, MIN("th", 0, 1) } } },
    { "flores/slider-crank", .curves = { "y1", "y2" }, .ghosts = 4, .end = 0.02,
      .facts = { { "first strike, of the exact motion; the scheme is within its step of 10 us", "0.0026925", "s", FLORES, 1.1e-5, EVENT("impact", "corner1", 1) },
                 { "two turns of the crank, by the scheme", "0.137836", "s", FLORES, 2e-5, REACH("th1", 12.566370614359172, 0.05) } } },
    { "flores/slider-crank-bodies", .curves = { "P1", "P3" }, .ghosts = 4, .end = 0.02,
      .facts = { { "crank angle at 0.1 s, as with formulas", "8.9786", "rad", FLORES, 1e-3, END("th1") } } },
    { "flores/slider-crank-ideal", .curves = { "th1'" }, .ghosts = 4, .end = 0.03,
      .facts = { { "speed of the crank at a quarter turn", "70.835", "rad/s", EXACT, 0.05, WHEN("th1'", "th1", 1.5707963267948966, 0) } } },
    { "classics/bouncing-ball", .curves = { "y" }, .ghosts = 5, .begin = 0.45, .end = 1.175,
      .facts = { { "first strike, sqrt(2/g)", "0.451524", "s", EXACT, 2e-4, EVENT("impact", "floor", 1) },
                 { "first rebound, e^2 of 1 m", "0.64", "m", EXACT, 1e-3, MAX("y", 0.6, 1.2) } } },
    { "classics/servo-windup", .curves = { "x", "push" }, .ghosts = 2, .end = 4,
      .facts = { { "the integrator has wound up to the limit of friction, (F - kp r)/(ki r)", "0.5", "s", EXACT, 1e-6, EVENT("slip", "guide", 1) } } },
    { "classics/servo-windup-stiffer", .curves = { "x", "push" }, .ghosts = 2, .end = 4,
      .facts = { { "the same servo with more friction, (F - kp r)/(ki r)", "1", "s", EXACT, 1e-6, EVENT("slip", "guide", 1) } } },
    { "classics/ball-between-plates", .curves = { "x" }, .ghosts = 4, .end = 0.4,
      .facts = { { "third strike", "0.33125", "s", EXACT, 3e-4, EVENT("impact", "", 3) } } },
    { "classics/block-on-incline", .curves = { "x", "x'" }, .ghosts = 3, .end = 0.3,
      .facts = { { "it stops and stays, uphill by", "0.062780", "m", EXACT, 1e-3, END("x") } } },
    { "classics/block-on-incline-bodies", .curves = { "rear", "front" }, .ghosts = 3, .end = 0.12,
      .facts = { { "it stops and stays, uphill by", "0.062780", "m", EXACT, 1e-3, END("up") },
                 { "load of the front corner on the way up", "11.523", "N", EXACT, 1e-2, AT("front", 0.05) } } },
    { "classics/chain-of-spheres", .curves = { "x10'", "x9'" }, .ghosts = 2,
      .facts = { { "speed of the last sphere, ((1 + e) 2/3)^9 of the first one's", "9.66484", "m/s", EXACT, 1e-4, END("x10'") } } },
    { "classics/double-pendulum-wall", .curves = { "th1", "th2" }, .ghosts = 6, .end = 0.7,
      .facts = { { "first strike", "0.3884813", "s", EXACT, 2e-4, EVENT("impact", "strike", 1) } } },
    { "classics/falling-rod", .curves = { "y", "th" }, .ghosts = 5,
      .facts = { { "energy that Newton's law creates in this strike", "0.14345", "J", EXACT, 2e-3, GAIN } } },
    { "classics/four-bar-clearance", .curves = { "play", "slack" }, .ghosts = 5, .end = 0.3142,
      .facts = { { "the pin stays in its bearing: play over clearance, at most 1", "1", "", EXACT, 1e-6, MAX("play", 0, 1) } } },
    { "classics/belt", .curves = { "x", "x'" }, .ghosts = 3,
      .facts = { { "period, 2 d/v + 2 (pi - atan(d w/v))/w", "8.0688879", "s", EXACT, 1e-5, PERIOD("slip", "belt", 2) } } },
    { "classics/kane-pendulum", .curves = { "t1'", "t2'" }, .ghosts = 4,
      .facts = { { "rate of the lower rod after the strike, by the energetic law", "0.2089853", "rad/s", EXACT, 1e-6, AT("t2'", 0) } } },
    { "classics/newtons-cradle", .curves = { "x1", "x5" }, .ghosts = 3, .end = 0.55,
      .facts = { { "ball 5 rises as far as ball 1 fell", "0.05", "m", EXACT, 1e-4, MAX("x5", 0, 1) } } },
    { "classics/pendulum-wall", .curves = { "th" }, .ghosts = 6, .end = 0.75,
      .facts = { { "swing after the first strike, acos(1 - e^2 (1 - cos 60 deg))", "-0.715", "rad", EXACT, 2e-3, MIN("th", 0.4, 1.0) } } },
    { "classics/rocking-block", .curves = { "th", "th'" }, .ghosts = 3, .end = 0.6,
      .facts = { { "first change of edge, for slender blocks, about", "0.159", "s", "Housner 1963", 2e-3, REACH("th", 0, 0.01) } } },
    { "classics/stack", .curves = { "joint1", "joint10" }, .ghosts = 1,
      .facts = { { "the lowest joint carries ten blocks", "98.1", "N", EXACT, 1e-6, END("joint1") } } },
    { "classics/stack-of-blocks", .curves = { "weight" }, .ghosts = 1,
      .facts = { { "the floor carries ten blocks", "98.1", "N", EXACT, 1e-6, END("weight") } } },
    { "classics/table", .curves = { "fl", "rr" }, .ghosts = 3,
      .facts = { { "it slides v^2/(2 mu g); along x", "0.117707", "m", EXACT, 1e-3, END("x") } } },
    { "classics/woodpecker", .curves = { "y", "ph_S" }, .ghosts = 4, .end = 0.45,
      .facts = { { "time between beats of the beak, on its limit cycle", "0.14598", "s", "model file", 1e-4, PERIOD("impact", "beak", 7) } } },
    { "classics/block-across-incline", .curves = { "x", "y" }, .ghosts = 5,
      .facts = { { "it comes to rest, moving straight down the fall line", "0.634869", "s", EXACT, 1e-5, EVENT("stick", "floor", 1) } } },
    { "kikuuwe/sphere-bodies", .curves = { "ball.x'", "slip" }, .ghosts = 6,
      .facts = { { "the contact point comes to rest", "0.58", "s", KIKUUWE, 0.02, REACH("slip", 1e-3, 0.01) },
                 { "then it rolls, with 5/7 of 2 m/s", "1.428571", "m/s", EXACT, 1e-5, END("ball.x'") } } },
    { "kikuuwe/two-link-bodies", .curves = { "th0", "th1" }, .ghosts = 5,
      .facts = { { "where the rigid arm rests, joint 1", "2.451734", "rad", EXACT, 5e-4, END("th1") } } },
    { "kikuuwe/two-link-penalty", .curves = { "th0", "th1" }, .ghosts = 5,
      .facts = { { "penalty joints give almost the same result: joint 0 at 10 s, with constraints", "1.180188", "rad", KIKUUWE, 5e-5, END("th0") } } },
    { "spatial/billiards", .curves = { "cue.x'", "left.x'" }, .ghosts = 5,
      .facts = { { "the ball that came goes back with 1/5 of its 2 m/s", "-0.4", "m/s", EXACT, 2e-3, END("cue.x'") } } },
    { "spatial/coin", .curves = { "lean" }, .ghosts = 6, .end = 0.8,
      .facts = { { "the lean stays 60 deg for three seconds", "1.047198", "rad", EXACT, 1e-5, END("lean") } } },
    { "spatial/dzhanibekov", .curves = { "nut.w1", "nut.w2" }, .ghosts = 2, .end = 6.0,
      .facts = { { "first somersault: w2 passes 0", "4.27350", "s", EXACT, 1e-4, REACH("nut.w2", 0, 1) } } },
    { "spatial/rssr", .curves = { "th", "psi" }, .ghosts = 5,
      .facts = { { "the ends of the rod stay L apart: difference of squares", "0", "m^2", EXACT, 1e-6, MAX("open", 0, 2) } } },
    { "spatial/sliding-box", .curves = { "box.x", "box.y" }, .ghosts = 4,
      .facts = { { "it stops on its line, along x after 0.8 v0^2/(2 mu g)", "0.4404", "m", EXACT, 2e-3, END("box.x") } } },
    { "spatial/spherical-pendulum", .curves = { "x", "z" }, .ghosts = 6, .end = 1.6,
      .facts = { { "highest point, the other root of the energy", "-0.74016", "m", EXACT, 1e-4, MAX("z", 0, 10) } } },
    { "spatial/tumbling-box", .curves = { "height" }, .ghosts = 6, .end = 1.2,
      .facts = { { "it comes to rest with its centre half an edge above the floor", "0.07", "m", EXACT, 1e-4, END("height") } } },
};
// clang-format on

const entry *entry_of(const char *model)
{
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        if (strcmp(entries[k].model, model) == 0) return &entries[k];
    return NULL;
}
