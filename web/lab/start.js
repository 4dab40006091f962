// start.js: the model of a laboratory that was made without one.

export const OWN_PATH = "/models/own.yaml";

export const START = {
    file: "own.yaml",
    name: "Block on a belt",
    text: `slipstick: 1
name: Block on a belt
about: A spring holds a block on a moving belt. It sticks, is carried along, breaks away, and sticks again.
parameters:
  m: 1 kg
  k: 40 N/m
  v: 0.4 m/s      # of the belt
  mu: 0.5
  g: 9.81 m/s^2
coordinates:
  x: {start: 0, rate: 0}
  y: 0
energy:
  kinetic: 0.5*m*(x'^2 + y'^2)
  potential: 0.5*k*x^2 + m*g*y
contacts:
  belt: {gap: y, slip': x' - v, friction: mu/(1 + abs(x' - v)), restitution: 0}
record: {friction: belt.friction}
run: {until: 8}
draw:
  belt: {line: [[-0.15, 0], [0.4, 0]], style: thin}
  spring: {spring: [[-0.15, 0.05], [x - 0.05, y + 0.05]], style: thin}
  block: {polygon: [[x - 0.05, y], [x + 0.05, y], [x + 0.05, y + 0.1], [x - 0.05, y + 0.1]]}
  contacts: {belt: {at: [x, y], normal: [0, 1], tangent: [1, 0]}}
`,
};
