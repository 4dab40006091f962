#!/usr/bin/env bash
# motions: cycle, lyapunov, equilibrium, basin and optimize on the command line: what they print, write and refuse.
. "$(dirname "$0")/lib.sh"

# strikes a wall once per period; turns back at w = 1.892979 (docs/cycles.md)
cat >"$TMP/osc.yaml" <<'END'
slipstick: 1
name: Impact oscillator
parameters: {z: 0.05, F: 1, w: 1.7, c: 0.5, r: 0.8}
coordinates: {x: {start: 0}}
energy: {kinetic: x'^2/2, potential: x^2/2}
forces: {x: F*cos(w*t) - 2*z*x'}
contacts: {wall: {gap: c - x, restitution: r}}
run: {formulation: lcp, until: 200}
END
cat >"$TMP/wells.yaml" <<'END'
slipstick: 1
name: Two wells
parameters: {a: 1}
coordinates: {x: 0}
mass: {x: 1}
forces: {x: "a*x - x^3 - 0.5*x'"}
run: {until: 40}
END
cat >"$TMP/throw.yaml" <<'END'
slipstick: 1
name: Throw
parameters: {v: 5 m/s, angle: 0.5, h: 2 m}
coordinates: {x: {rate: v*cos(angle)}, y: {start: h, rate: v*sin(angle)}}
mass: {x: 1, y: 1}
forces: {y: -9.81}
run: {until: 10, stop: y < 0}
END
OSC=$TMP/osc.yaml WELLS=$TMP/wells.yaml

try 0 cycle "$OSC" --period '2*pi/w'; says out "multipliers"; says out "impact wall"; says out "stable"
try 0 cycle "$OSC" --period '2*pi/w' -q; silent out
try 2 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.9 --formulations lcp,gauss -q; says err "leaves nothing"
try 0 cycle "$OSC" --period '2*pi/w' --segments 3 --sensitivity w --json; json found true; json stable true; json period 3.6959913571644627 # 2 pi/1.7
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:2 --branches 1; says out "fold       w = 1.892979"
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.72 --points 5 --json; json points "<array>"
# the same branch by differences and by another law; one contact without friction: all laws agree
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.9 --branches 1 --formulations lcp,gauss; says out "fold"; says out "values of w"
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.9 --branches 1 --formulations lcp --impact-laws newton --json; json laws/0/formulation lcp; json laws/0/points/0/special fold
try 2 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.72 --formulations nonsense; says err "nonsense"
try 2 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.72 --impact-laws nonsense; says err "nonsense"
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:2 --two-parameter r=0.79:0.8:2 --branches 1 --picture "$TMP/plane.svg"; says out "1.8929790"
that "a picture of the plane" grep -q '<svg' "$TMP/plane.svg"
try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:2 --branches 1 --picture "$TMP/branch.svg"; says out "picture "
for word in '>extent of x<' '>stable<' '>unstable<' '>fold<' '>grazing<' 'stroke-dasharray'; do that "$word in the picture" grep -q "$word" "$TMP/branch.svg"; done
that "no doubling in the picture" sh -c '! grep -q doubling "$1"' - "$TMP/branch.svg"
try 1 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.71 --two-parameter r=0.79:0.8:2 --branches 1 --points 5 --json; json curves "<array>"
try 0 cycle "$OSC" --period '2*pi/w' --set c=5 --json; json signature ""
try 0 cycle "$OSC" --period '2*pi/w' --set c=5; says out "events      none"; says out " i"
try 0 cycle classics/woodpecker --drift y --relative 1e-9 --absolute 1e-11; says out "advances by"
page=1; "$SLIPSTICK" --version | grep -q '^ *page *yes' || page=
if [ $page ]; then
    try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:1.75 --points 6 --report "$TMP/cycle.html"
    that "a page on cycles" grep -q multipliers "$TMP/cycle.html"
    try 0 cycle "$OSC" --period '2*pi/w' --along w=1.7:2 --two-parameter r=0.79:0.8:2 --branches 1 --report "$TMP/plane.html"
    that "a page on a plane" grep -q '"plane": *{' "$TMP/plane.html"
    try 0 sweep "$WELLS" --over coordinates.x.start=-1:1:4 --over a=1,2 --strobe 10 --report "$TMP/sweep.html" -q
    that "a page on a sweep" grep -q wells "$TMP/sweep.html"
    try 0 sweep "$WELLS" --over coordinates.x.start=-1,1 --outputs final,events --no-companion --report "$TMP/sweep.html" -q
fi
try 0 cycle classics/belt; says out "1 of them exactly 0"
try 1 cycle classics/bouncing-ball; says out "nothing moves"
try 2 cycle; says err "one model"
try 1 cycle "$OSC"; says out "driven by the time"
try 1 cycle classics/pendulum-wall; says out "equilibrium"
try 2 cycle "$OSC" --period '2*pi/v'; says err "period: '2*pi/v': unknown name 'v'"
try 2 cycle "$OSC" --period 0; says err "period: '0' must be greater than 0"
try 2 cycle "$OSC" --period '2*pi/w' --along w=1; says err "needs NAME=FROM:TO"
try 2 cycle "$OSC" --period '2*pi/w' -f nonsense; says err "formulation: 'nonsense'"
try 2 cycle "$OSC" --period '2*pi/w' --along w=1.7:2 --two-parameter q=1:2:3; says err "two-parameter: q = 1: there is no 'q'"
try 0 cycle "$OSC" --period '2*pi/w' --along r=0.99:1.5; says out "must be from 0 to 1"
try 2 cycle "$OSC" --along w; says err "w"
try 2 cycle "$OSC" --segments 0; says err "segments"
try 2 cycle "$OSC" --drift q; says err "not a coordinate"
try 0 cycle --help; says out "slipstick cycle"

try 0 lyapunov "$OSC" --period '2*pi/w' --settle 40 --length 100; says out "periodic"
try 0 lyapunov classics/bouncing-ball --json; json verdict collapsed
try 2 lyapunov; says err "one model"
try 2 lyapunov "$OSC" -f moreau; says err "lcp"
try 0 lyapunov --help; says out "slipstick lyapunov"

# equilibria at 0, +sqrt(a) and -sqrt(a); they meet at a = 0
try 0 equilibrium "$WELLS" --start x=0.9 --json; json found true; json stable true
try 0 equilibrium "$WELLS" --start x=0.9 --along a=1:0.25; says out "the end of the range was reached"
try 0 equilibrium "$WELLS"; says out "unstable"
try 0 equilibrium classics/belt
try 0 equilibrium "$WELLS" --start x=0.9 --along a=1:0.25 --points 5 --json; json points "<array>"
try 2 equilibrium xiong/stick-slip -f gauss; says err "mechanical models"
try 2 equilibrium "$TMP/nothing.yaml"; says err "nothing.yaml"
try 2 equilibrium; says err "one model"
try 2 equilibrium "$WELLS" --along b=0:1; says err "b"
printf 'slipstick: 1\nname: m\ninputs: {u: 0}\ncoordinates: {x: 0}\nmass: {x: 2}\nforces: {x: -50*x + u}\nrecord: {y: x}\n' >"$TMP/mass.yaml"
try 0 linearize "$TMP/mass.yaml"; says out "0.795774715 Hz, damping ratio"; says out "2 states, 1 inputs, 1 outputs"
try 0 linearize "$TMP/mass.yaml" --frequencies 0.1:10:5 -o "$TMP/linear" -q; silent out; that "its files are there" test -s "$TMP/linear/response.csv" -a -s "$TMP/linear/linear.mat" -a -s "$TMP/linear/A.csv"
try 0 linearize "$TMP/mass.yaml" --json; json found true; json modes "<array>"; json A "<array>"
try 1 linearize "$TMP/mass.yaml" --set inputs.u=0 --set forces.x=1; says out "no equilibrium"
try 2 linearize "$TMP/mass.yaml" --frequencies 3; says err "LOW:HIGH:N"
try 2 linearize; says err "one model"
try 2 linearize "$TMP/mass.yaml" -f moreau; says err "choose lcp or gauss"; try 2 equilibrium "$TMP/mass.yaml" -f moreau; says err "choose lcp or gauss"
try 0 linearize classics/belt; says out "belt is sliding"; says out "neutral"
try 2 linearize xiong/stick-slip; says err "mechanical models"
try 0 equilibrium --help; says out "slipstick equilibrium"

try 0 basin "$WELLS" --over x=-1.5,1.5 --over "x'=-0.1,0.1" -o "$TMP/basin" --picture "$TMP/map.svg"; says out "rest at x = 1"
that "a line for each start" [ "$(wc -l <"$TMP/basin/basin.csv")" = 5 ]
that "a picture" grep -q '<svg' "$TMP/map.svg"
try 0 basin "$WELLS" --over x=-1.5,1.5 --over "x'=-0.1,0.1" -o "$TMP/basin" --resume -q
try 2 basin "$WELLS" --over x=-1.5,1.5 --over "x'=-0.1,0.1" -o "$TMP/basin" --resume --no-companion; says err "'companion' differs"
try 0 basin "$WELLS" --over x=-1.5,1.5 --over "x'=0,1" --no-companion --threads 1 --tail 0.3 --tolerance 0.1 --accuracy 0.1 --json; json attractors/0/name "<string>"
try 2 basin "$WELLS" --over x=0:1:2; says err "needed twice"
try 2 basin "$WELLS" --over x --over y; says err "KEY=A:B:N"
try 2 basin "$WELLS" --over x=0,1 --over "x'=0,1" --picture map.txt; says err ".svg or .png"
try 2 basin "$WELLS" --over x=0,1 --over "x'=0,1" --resume; says err "-o DIR"
try 2 basin "$WELLS" --over y=0,1 --over "x'=0,1"; says err "y"
try 2 basin; says err "one model"
try 0 basin --help; says out "slipstick basin"

# where x rests: sqrt(a) = 2 asks for a = 4
try 0 optimize "$WELLS" --minimize '(x - 2)^2' --free a --start a=3 --bounds a=1:9 --set coordinates.x.start=0.5 --json; json free/0/name a
HILL=(optimize "$WELLS" --set coordinates.x.start=0.5 --free a --bounds a=1:9)
try 0 "${HILL[@]}" --maximize '-(x - 2)^2' --method cobyla --constraint 'a <= 3' --after 20 --tolerance 1e-4; says out "a"
try 1 "${HILL[@]}" --minimize 'abs(mean(x) - 2)' --method direct --max-runs 40 --seed 3 --threads 1 -f lcp -q; says out "NOT converged"
try 0 "${HILL[@]}" --minimize '(max(x) - 2)^2' --starts 2 --threads 2 --start a=2
try 2 "${HILL[@]}" --minimize x --maximize x; says err "either"
try 2 "${HILL[@]}" --minimize x --starts 0; says err "--starts"
try 2 "${HILL[@]}" --minimize x --max-runs 1.5; says err "--max-runs"
try 2 "${HILL[@]}" --minimize x --threads 0; says err "--threads"
try 2 "${HILL[@]}" --minimize x --seed 0; says err "--seed"
try 2 "${HILL[@]}" --minimize x --start b=1; says err "--start names"
try 2 "${HILL[@]}" --minimize x --start a=oops; says err "SI units"
try 2 "${HILL[@]}" --minimize x --bounds b=1:2; says err "--free does not"
try 2 "${HILL[@]}" --minimize x --bounds nonsense; says err "--bounds wants"
try 2 "${HILL[@]}" --minimize x --method zzz; says err "zzz"
try 2 "${HILL[@]}" --minimize x --constraint 'a'; says err "constraint"
try 2 optimize "$WELLS" --minimize x; says err "--free is needed"
try 2 optimize "$WELLS"; says err "minimize"
try 2 optimize "$WELLS" --minimize '(x - 2)^2' --free b; says err "b"
try 2 optimize "$WELLS" --minimize '(x - 2)^' --free a; says err "expected"
try 0 optimize --help; says out "slipstick optimize"

try 0 analyze classics/kane-pendulum --impact-laws; says out "in force"
try 0 analyze classics/newtons-cradle --impact-laws; says out "nothing strikes"
cat >"$TMP/hit.yaml" <<'END'
slipstick: 1
name: Two balls hit the floor
space: 3
gravity: 9.81
bodies:
  ground: {shape: {plane: [0, 0, 0]}}
  a: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, z: {start: 0.1, rate: -1}, x: {rate: 1}}
  b: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, z: {start: 0.1, rate: -2}, x: {start: 1}, y: {start: 1}}
contacts:
  rough: {between: [a, ground], friction: 0.3, restitution: 0.5}
  smooth: {between: [b, ground], restitution: 0.5}
END
try 0 analyze "$TMP/hit.yaml" --impact-laws; says out "all impact laws agree"; says out "stops"
try 0 compare classics/kane-pendulum --impact-laws -f lcp; says out "newton"
try 2 import; says err "one file"
try 2 import "$TMP/none.urdf"; says err "none.urdf"
echo '<robot name="r"><link name="a"/></robot>' >"$TMP/r.urdf"
try 0 import "$TMP/r.urdf" --free --skip-meshes --floor 0.5 -q
try 0 import "$TMP/r.urdf" --free --floor 0.5 -q -o "$TMP/r.yaml"; silent out; that "import -o writes the model" grep -q "^slipstick: 1" "$TMP/r.yaml"
try 2 import "$TMP/r.urdf" -o "$TMP/r.urdf"; try 2 import "$TMP/r.urdf" --free --floor 0.5 -o "$TMP/none/r.yaml"; says err "cannot be written"
try 2 import "$TMP/r.urdf" --floor 0; says err "above 0"
echo '<robot' >"$TMP/r.urdf"
try 2 import "$TMP/r.urdf"; says err "error"

# without damping, and beside a block that friction holds, multipliers have the modulus 1
cat >"$TMP/undamped.yaml" <<'END'
slipstick: 1
name: Undamped
parameters: {w: 1.4142135623730951}
coordinates: {x: 1}
energy: {kinetic: x'^2/2, potential: x^2/2}
forces: {x: cos(w*t)}
run: {until: 100}
END
cat >"$TMP/beside.yaml" <<'END'
slipstick: 1
name: Beside a held block
coordinates: {x: {start: 0}, y: {start: 0.1}}
mass: {x: 1, y: 1}
forces: {x: cos(2*t) - x - 0.5*x', y: -y}
frictions: {rub: {slip: y, limit: 1}}
run: {formulation: lcp, until: 100}
END
try 0 cycle "$TMP/undamped.yaml" --period '2*pi/w' --settle 1e-9; says out "neutral: 2 of modulus 1"
try 0 cycle "$TMP/beside.yaml" --period pi --json; json neutral 1; json stable false

# the command under `again`, pasted, gives the value: v/g sqrt(v^2 + 2 g h) with v = 7, h = 3, 2 m higher up; and all options matter
THROW=$TMP/throw.yaml
try 0 optimize "$THROW" --maximize x --free angle --bounds angle=0:1.5 --set h=3 --set "v=7 m/s" --until "3 s" -f lcp --set "run.stop=y < 1" -q
says out "greatest    x = 6.70"; says out "points between the bounds were tried first"
AGAIN=$(sed -n 's/^  again *slipstick //p' "$TMP/out")
BEST=$(sed -n 's/^  greatest *x = //p' "$TMP/out")
eval "try 0 $AGAIN -q -o $TMP/again"
that "again gives the same value" awk -F, -v best="$BEST" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "x") c = k } { x = $c } END { exit !(x - best < 1e-8 && best - x < 1e-8) }' "$TMP/again/trajectory.csv"
# a name that a shell would take apart is quoted, a value that the answer sets is left out, and folders that are allowed come along
printf "slipstick: 1\nname: Throw\nparameters: {v: 2, g: 9}\ncoordinates: {y: {start: 0 m, rate: v}}\nenergy: {kinetic: 0.5*y'^2, potential: g*y}\nrun: {until: 1}\n" >"$TMP/it's.yaml"
try 0 optimize "$TMP/it's.yaml" --maximize y --free v --bounds v=1:3 --set v=1.5 --set g=4 --allow "$TMP"; says out "--set g=4"; says out "it'\\''s.yaml"; says out "--allow"
AGAIN=$(sed -n 's/^  again *slipstick //p' "$TMP/out")
that "the answer is set once" [ "$(grep -o 'set v=' <<<"$AGAIN" | wc -l)" = 1 ]
eval "try 0 $AGAIN -q -o $TMP/quoted"
that "and gives 3 - 4/2" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "y") c = k } { y = $c } END { exit !(y > 0.999 && y < 1.001) }' "$TMP/quoted/trajectory.csv"
try 0 optimize "$THROW" --maximize x --free angle -q; says out "one, a local search"
finish
