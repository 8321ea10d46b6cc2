/** Pure functions of the deck's swipe, in CSS pixels and seconds, with y growing downwards. */

export type Decision = 'like' | 'pass' | 'super_like';
/** 'scroll': the gesture scrolls the page. */
export type Axis = 'sideways' | 'up' | 'scroll';
export type Point = { x: number; y: number };
export type Sample = Point & { at: number };

export const EXIT_SECONDS = 0.3;

const LOCK_DISTANCE = 10;
/** The width of the system's back gesture at the screen's edges. */
const EDGE = 24;
const MAX_TILT = 12;
const UP_DISTANCE = 110;
/** A flick decides from this speed and distance on, in px/s and px. */
const FLICK_SPEED = 400;
const FLICK_DISTANCE = 24;
/** A card released while it moves back at this speed springs back, at any distance. */
const RETURN_SPEED = 250;
/** The speed is that of this last period, so that a pause before releasing counts. */
const SPEED_WINDOW_MS = 80;
const STAMP_FROM = 12;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export function startsAtEdge(x: number, viewportWidth: number): boolean {
  return x < EDGE || x > viewportWidth - EDGE;
}

/** Returns the axis of a gesture, or null until the finger has moved LOCK_DISTANCE. */
export function lockAxis({ x, y }: Point, upAllowed: boolean): Axis | null {
  if (Math.hypot(x, y) < LOCK_DISTANCE) return null;
  if (Math.abs(x) >= Math.abs(y)) return 'sideways';
  return y < 0 && upAllowed ? 'up' : 'scroll';
}

/** Returns the distance from which on a released card is liked or passed, for a card of this width. */
export function sidewaysDistance(width: number): number {
  return Math.min(120, width * 0.3);
}

/** Returns the tilt in degrees of a card of this width at this offset. */
export function tilt(x: number, width: number): number {
  return clamp((x / (width * 0.6)) * MAX_TILT, -MAX_TILT, MAX_TILT);
}

/** Returns the opacity of each stamp, which is 1 where releasing would decide. */
export function stamps({ x, y }: Point, width: number): Record<Decision, number> {
  const opacityAt = (distance: number, full: number) =>
    clamp((distance - STAMP_FROM) / (full - STAMP_FROM), 0, 1);
  const up = opacityAt(-y, UP_DISTANCE);
  // Only one stamp at a time: that of the dominant axis.
  const sideways = Math.abs(x) > -y;
  return {
    like: sideways ? opacityAt(x, sidewaysDistance(width)) : 0,
    pass: sideways ? opacityAt(-x, sidewaysDistance(width)) : 0,
    super_like: sideways ? 0 : up,
  };
}

/** Returns the speed over the last SPEED_WINDOW_MS, in px/s. */
export function velocityOf(samples: readonly Sample[]): Point {
  const last = samples.at(-1);
  if (!last) return { x: 0, y: 0 };
  const first = samples.find((sample) => last.at - sample.at <= SPEED_WINDOW_MS) ?? last;
  const seconds = (last.at - first.at) / 1000;
  if (seconds <= 0) return { x: 0, y: 0 };
  return { x: (last.x - first.x) / seconds, y: (last.y - first.y) / seconds };
}

/** Whether a gesture is far enough, or fast enough in its direction, and not moving back. */
function isDecisive(distance: number, speed: number, needed: number): boolean {
  if (speed < -RETURN_SPEED) return false;
  return distance >= needed || (distance >= FLICK_DISTANCE && speed >= FLICK_SPEED);
}

/** Returns the decision when the card is released; null if it springs back. */
export function decisionOf(axis: Axis, offset: Point, velocity: Point, width: number): Decision | null {
  if (axis === 'up') return isDecisive(-offset.y, -velocity.y, UP_DISTANCE) ? 'super_like' : null;
  if (axis !== 'sideways') return null;
  if (isDecisive(offset.x, velocity.x, sidewaysDistance(width))) return 'like';
  return isDecisive(-offset.x, -velocity.x, sidewaysDistance(width)) ? 'pass' : null;
}

/** Returns where a thrown card ends, from the middle of the deck: outside a phone's view, drifting with its speed. */
export function exitPoint(decision: Decision, from: Point, velocity: Point, card: Point, view: Point): Point {
  const drift = (speed: number) => clamp(speed * EXIT_SECONDS, -160, 160);
  if (decision === 'super_like') return { x: from.x + drift(velocity.x), y: -(view.y / 2 + card.y) };
  const out = Math.min(view.x / 2, 400) + card.x * 0.75;
  return { x: decision === 'like' ? out : -out, y: from.y + drift(velocity.y) };
}

/** Returns the offset from which a card enters whose pass was undone: left of a phone's view, or of the deck. */
export function returnFrom(viewportWidth: number): number {
  return -1.3 * Math.min(viewportWidth, 420);
}

/**
 * Returns a cubic Bézier curve over EXIT_SECONDS that starts at the finger's speed, so that the motion is continuous.
 */
export function exitEase(distance: number, speed: number): [number, number, number, number] {
  const slope = distance === 0 ? 0 : (speed * EXIT_SECONDS) / distance;
  return [0.3, clamp(slope * 0.3, 0, 1), 0.7, 0.9];
}
