/// grammar.h: random models in which features meet: a scene of one to six coordinates, pushed by forces with
/// conditions and kinks, with contacts, frictions, impact laws, events, modes, controllers, delays, tables, joints
/// and detected shapes. Units are those of a workshop: kilograms, decimetres, newtons.
#ifndef SLIP_TEST_CAMPAIGN_GRAMMAR_H
#define SLIP_TEST_CAMPAIGN_GRAMMAR_H

#include "draft.h"

enum { SCENE_COORDINATES = 6 };

/// What decorations need to know of a scene.
typedef struct scene {
    draft *d;
    int count;                        ///< coordinates that may be pushed
    char name[SCENE_COORDINATES][16]; ///< "x0"
    double home[SCENE_COORDINATES];   ///< near which the coordinate moves
    double size[SCENE_COORDINATES];   ///< how far, about
    double force[SCENE_COORDINATES];  ///< of the forces that act on it, about
    bool timeless;                    ///< nothing depends on the time: it may come to rest
    bool periodic;                    ///< forced at one frequency: it may have a cycle
    bool plain;                       ///< no states, modes, delays or events: studies that know none
    bool relay, state, sampled;       ///< names that forces use, and sections have to explain
    int tables;
} scene;

/// What can be asked of a model beside its motion.
typedef struct grammar_model {
    draft d;
    bool detects;  ///< contacts are detected: moreau alone takes it
    bool timeless; ///< as in the scene
    bool periodic;
    bool plain;
    double frequency; ///< of the force, rad/s, where it is periodic
} grammar_model;

/// The model of a number.
void grammar_make(grammar_model *m, uint64_t seed, long number);

// ---- parts of the grammar, between its files ----

/// One more coordinate that may be pushed.
void grammar_coordinate(scene *s, const char *name, double home, double size, double force);
void grammar_push(scene *s, int k);                ///< " + ..." on coordinate k, at random
void grammar_friction(scene *s, double mu);        ///< "friction: ..." of a contact, at random
void grammar_contact_end(scene *s);                ///< restitution and impact law of a contact, and its brace
void grammar_happenings(scene *s);                 ///< events, modes, controllers, states, tables
void grammar_bodies(grammar_model *m, scene *s);   ///< bodies with joints and shapes
void grammar_detected(grammar_model *m, scene *s); ///< shapes whose contacts are detected

#endif
