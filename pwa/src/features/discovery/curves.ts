/** Curves of a value over time, in seconds from the start of its animation. */

/** `done` is true when the value has reached its end. */
export type Curve = (seconds: number) => { value: number; done: boolean };

/** The control points of a cubic Bézier curve, as in CSS. */
export type Bezier = readonly [x1: number, y1: number, x2: number, y2: number];

/** Stiffness and damping of the spring, for a mass of 1. */
const STIFFNESS = 480;
const DAMPING = 32;
/** The spring is at rest within this distance of its end and below this speed, in px and px/s. */
const REST_DISTANCE = 0.3;
const REST_SPEED = 8;

/** Moves between two values along an easing curve. */
export function ease(from: number, to: number, duration: number, bezier: Bezier): Curve {
  const progressAt = easing(bezier);
  return (seconds) => {
    if (seconds >= duration) return { value: to, done: true };
    return { value: from + (to - from) * progressAt(Math.max(0, seconds) / duration), done: false };
  };
}

/** Moves to 0 like an underdamped spring that is released with this velocity. */
export function spring(from: number, velocity: number): Curve {
  const decay = DAMPING / 2;
  const frequency = Math.sqrt(STIFFNESS - decay ** 2);
  const amplitude = (velocity + decay * from) / frequency;
  return (seconds) => {
    const time = Math.max(0, seconds);
    const envelope = Math.exp(-decay * time);
    const [sin, cos] = [Math.sin(frequency * time), Math.cos(frequency * time)];
    const value = envelope * (from * cos + amplitude * sin);
    const speed = envelope * frequency * (amplitude * cos - from * sin) - decay * value;
    const done = Math.abs(value) < REST_DISTANCE && Math.abs(speed) < REST_SPEED;
    return done ? { value: 0, done } : { value, done };
  };
}

/** Returns the function of a cubic Bézier curve from (0, 0) to (1, 1), as in CSS. */
export function easing([x1, y1, x2, y2]: Bezier): (x: number) => number {
  const at = (one: number, two: number, t: number) =>
    3 * one * t * (1 - t) ** 2 + 3 * two * t ** 2 * (1 - t) + t ** 3;
  return (x) => {
    // x grows with t, so bisection finds t; 20 steps are more exact than a pixel.
    let [low, high] = [0, 1];
    for (let step = 0; step < 20; step += 1) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < x) low = middle;
      else high = middle;
    }
    return at(y1, y2, (low + high) / 2);
  };
}
