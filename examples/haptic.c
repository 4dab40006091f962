/// haptic.c: a loop of 1 kHz with ten frictional contacts, in plain C.
///
///     cc haptic.c $(pkg-config --cflags --libs slipstick) -o haptic
///
/// The device says where the hand is; the network says what the hand feels. A step allocates nothing and
/// makes the same calls every time, so its time is bounded (bench/net measures it).
#include <math.h>
#include <stdio.h>

#include "haptic.h"

int main(void)
{
    plate p;
    slip_error error = { 0 };
    if (make_plate(&p, 2000, 2, 1e-3, &error) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return 1;
    }
    const double *x = slip_net_state(p.net, p.number);
    double least = INFINITY, most = -INFINITY, from = NAN, creep = 0;
    for (int k = 0; k < 4000; k++) {
        move_hand(&p, slip_net_time(p.net));                 // read the device
        if (slip_net_step(p.net) != SLIP_RUNNING) return 1;  // 1 ms of mechanics
        double felt = slip_net_output(p.net, p.coupling, 0); // command the device
        if (k % 1000 == 999)
            printf("%.1f s: plate at %5.2f cm, the hand pulls with %5.2f N\n", slip_net_time(p.net),
                   100 * x[0], felt);
        if (slip_net_time(p.net) > 3.0) { // at rest
            least = smaller(least, felt);
            most = larger(most, felt);
            if (isnan(from)) from = x[0];
            creep = larger(creep, larger(x[0] - from, from - x[0]));
        }
    }
    printf("at rest: creep %s 1 nm, ripple of the force %s 1 mN\n", creep < 1e-9 ? "below" : "above",
           most - least < 1e-3 ? "below" : "above");
    slip_net_destroy(p.net);
    return creep < 1e-9 && most - least < 1e-3 ? 0 : 1;
}
