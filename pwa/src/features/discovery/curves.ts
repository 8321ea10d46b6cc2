/** Curves of a value over time, in seconds from the start of its animation. */
import { cubicBezier, spring as springGenerator } from 'motion';

/** `done` is true when the value has reached its end. */
export type Curve = (seconds: number) => { value: number; done: boolean };

/** The control points of a cubic Bézier curve, as in CSS. */
export type Bezier = readonly [x1: number, y1: number, x2: number, y2: number];

/** The spring is at rest within `restDelta` px of its end and below `restSpeed` px/s. */
const SPRING = { stiffness: 480, damping: 32, restDelta: 0.3, restSpeed: 8 };

/** Moves between two values along an easing curve. */
export function ease(from: number, to: number, duration: number, bezier: Bezier): Curve {
  const progressAt = cubicBezier(...bezier);
  return (seconds) => {
    if (seconds >= duration) return { value: to, done: true };
    return { value: from + (to - from) * progressAt(Math.max(0, seconds) / duration), done: false };
  };
}

/** Moves to 0 like a spring that is released with this velocity, in px/s. */
export function spring(from: number, velocity: number): Curve {
  const generator = springGenerator({ ...SPRING, keyframes: [from, 0], velocity });
  return (seconds) => {
    // A copy, because the generator returns the same object each time.
    const { value, done } = generator.next(Math.max(0, seconds) * 1000);
    return { value, done };
  };
}
