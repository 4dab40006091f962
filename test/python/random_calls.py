"""random_calls.py FIRST COUNT: random calls of the package, with right and wrong arguments; numbers are seeds.

Whatever is called, it returns or raises an exception of Python's or of the package's own. The program is run under the address
sanitizer (tools/campaigns.sh), which ends it at the first wrong access; a call that takes more than a minute ends it too.
"""
import random
import signal
import sys

import numpy as np

import slipstick

MODEL = """slipstick: 1
name: Mass
parameters: {k: 3, mu: 0.2, e: 0.5}
coordinates: {x: 1, y: 0.2}
mass: {x: 1, y: 1}
forces: {x: "-k*x", y: -9.81}
contacts: {floor: {gap: y, slip': x', friction: mu, restitution: e}}
run: {until: 0.3, step: 5ms}
"""

ODD = [None, True, -1, 0, 1, 2**70, 1e308, -1e-308, float('nan'), float('inf'), '', 'x', 'k', 'lcp', 'no such', b'bytes', [], [1, 2], {}, {'k': 2},
       {'k': 'a'}, (), object(), np.zeros(3), np.zeros((2, 2)), np.array(['a']), np.array([np.nan]), lambda *_: 1, MODEL, 'coordinates.x.start']


def public(thing):
    """What a user may call."""
    return [name for name in dir(thing) if not name.startswith('_') and callable(getattr(thing, name))]


def one_call(rng, pool):
    subject = rng.choice(pool)
    names = public(subject)
    if not names:
        return
    name = rng.choice(names)
    if name in ('lab', 'show', 'main', 'serve', 'mcp'):
        return
    arguments = [rng.choice(ODD + pool) for _ in range(rng.randrange(4))]
    keywords = {rng.choice(['until', 'step', 'formulation', 'set', 'over', 'free', 'seed', 'threads', 'period']): rng.choice(ODD)
                for _ in range(rng.randrange(3))}
    try:
        made = getattr(subject, name)(*arguments, **keywords)
    except (Exception, slipstick.Error):  # noqa: BLE001 - any exception is an answer
        return
    if made is not None and len(pool) < 40:
        pool.append(made)


def session(seed):
    rng = random.Random(seed)
    model = slipstick.Model(MODEL)
    pool = [slipstick, model, model.run()]
    for _ in range(30):
        signal.alarm(60)
        one_call(rng, pool)
    signal.alarm(0)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        print('seed', seed, flush=True)
        session(seed)


if __name__ == '__main__':
    main()
