/** The arithmetic of the deck's swipe: pure, in CSS pixels and seconds, y growing downwards. */

export type Decision = 'like' | 'pass' | 'super_like';
/** 'scroll' leaves the gesture to the page. */
export type Axis = 'sideways' | 'up' | 'scroll';
export type Point = { x: number; y: number };
export type Sample = Point & { at: number };

export const EXIT_SECONDS = 0.3;

const LOCK_AFTER = 10;
/** The system's own back gesture starts here. */
const EDGE = 24;
const MAX_TILT = 12;
const UP_DISTANCE = 110;
/** A flick decides from this speed on, once it has travelled a little. */
const FLICK_SPEED = 400;
const FLICK_DISTANCE = 24;
/** Moving back at this speed takes a decision back, however far out the card is. */
const RETURN_SPEED = 250;
/** Speed is measured over this last stretch, so that a pause before letting go counts. */
const SPEED_WINDOW_MS = 80;
const STAMP_FROM = 12;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export function startsAtEdge(x: number, viewportWidth: number): boolean {
  return x < EDGE || x > viewportWidth - EDGE;
}

/** Null while the finger has not moved enough to tell. Once told, the axis stays for the whole gesture. */
export function lockAxis({ x, y }: Point, mayGoUp: boolean): Axis | null {
  if (Math.hypot(x, y) < LOCK_AFTER) return null;
  if (Math.abs(x) >= Math.abs(y)) return 'sideways';
  return y < 0 && mayGoUp ? 'up' : 'scroll';
}

export function sidewaysDistance(width: number): number {
  return Math.min(120, width * 0.3);
}

/** Degrees for a card of this width that is this far out. */
export function tilt(x: number, width: number): number {
  return clamp((x / (width * 0.6)) * MAX_TILT, -MAX_TILT, MAX_TILT);
}

/** How clearly each stamp shows, 0 to 1; full where letting go would decide. */
export function stamps({ x, y }: Point, width: number): Record<Decision, number> {
  const shown = (distance: number, full: number) =>
    clamp((distance - STAMP_FROM) / (full - STAMP_FROM), 0, 1);
  const up = shown(-y, UP_DISTANCE);
  // Sideways wins the eye: only one stamp at a time.
  const sideways = Math.abs(x) > -y;
  return {
    like: sideways ? shown(x, sidewaysDistance(width)) : 0,
    pass: sideways ? shown(-x, sidewaysDistance(width)) : 0,
    super_like: sideways ? 0 : up,
  };
}

/** Pixels a second over the last stretch of the gesture. */
export function velocityOf(samples: readonly Sample[]): Point {
  const last = samples.at(-1);
  if (!last) return { x: 0, y: 0 };
  const first = samples.find((sample) => last.at - sample.at <= SPEED_WINDOW_MS) ?? last;
  const seconds = (last.at - first.at) / 1000;
  if (seconds <= 0) return { x: 0, y: 0 };
  return { x: (last.x - first.x) / seconds, y: (last.y - first.y) / seconds };
}

/** Far enough, or fast enough the same way; not when it is on its way back. */
function passes(distance: number, speed: number, needed: number): boolean {
  if (speed < -RETURN_SPEED) return false;
  return distance >= needed || (distance >= FLICK_DISTANCE && speed >= FLICK_SPEED);
}

/** What letting go means; null springs back. */
export function decide(axis: Axis, offset: Point, velocity: Point, width: number): Decision | null {
  if (axis === 'up') return passes(-offset.y, -velocity.y, UP_DISTANCE) ? 'super_like' : null;
  if (axis !== 'sideways') return null;
  if (passes(offset.x, velocity.x, sidewaysDistance(width))) return 'like';
  return passes(-offset.x, -velocity.x, sidewaysDistance(width)) ? 'pass' : null;
}

/** Where a thrown card ends, seen from the middle of the deck: beside it on a phone's whole width, drifting on as it was thrown. */
export function exitPoint(decision: Decision, from: Point, velocity: Point, card: Point, view: Point): Point {
  const drift = (speed: number) => clamp(speed * EXIT_SECONDS, -160, 160);
  if (decision === 'super_like') return { x: from.x + drift(velocity.x), y: -(view.y / 2 + card.y) };
  const out = Math.min(view.x / 2, 400) + card.x * 0.75;
  return { x: decision === 'like' ? out : -out, y: from.y + drift(velocity.y) };
}

/**
 * A cubic bezier over EXIT_SECONDS that leaves at the finger's own speed, so that the throw has no seam;
 * from standing it starts gently.
 */
export function exitEase(distance: number, speed: number): [number, number, number, number] {
  const slope = distance === 0 ? 0 : (speed * EXIT_SECONDS) / distance;
  return [0.3, clamp(slope * 0.3, 0, 1), 0.7, 0.9];
}
