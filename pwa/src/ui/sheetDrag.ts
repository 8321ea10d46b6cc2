/** The finger's place at a time: CSS pixels from the top, milliseconds. */
export type Sample = { y: number; at: number };

/** The velocity is that of the last moment, so that a finger that rests before it is lifted does not throw. */
const VELOCITY_MS = 80;
/** From this velocity on, in px/s, a short drag closes too. */
const THROW_VELOCITY = 500;
const MIN_THROW = 24;
/** The share of the sheet's height from which a slow drag closes. */
const CLOSE_SHARE = 0.3;

/**
 * Returns the distance in CSS pixels by which a sheet was dragged down, the velocity in px/s at the end, and whether the
 * drag closes a sheet of this height.
 */
export function dragOf(samples: Sample[], height = Number.POSITIVE_INFINITY) {
  const first = samples[0] ?? { y: 0, at: 0 };
  const last = samples.at(-1) ?? first;
  const before = samples.find(({ at }) => last.at - at <= VELOCITY_MS) ?? last;
  const distance = last.y - first.y;
  const velocity = last.at > before.at ? ((last.y - before.y) / (last.at - before.at)) * 1000 : 0;
  const isThrown = distance > MIN_THROW && velocity > THROW_VELOCITY;
  const isFar = distance > height * CLOSE_SHARE && velocity > -THROW_VELOCITY;
  return { distance, velocity, closes: isThrown || isFar };
}

type DragWatcher = {
  /** Returns how far the element is from its place, in CSS pixels, or null for no drag. */
  onStart: () => number | null;
  onMove: (samples: Sample[]) => void;
  onEnd: (samples: Sample[], isCancelled: boolean) => void;
};

/** Watches drags of an element by one finger that do not begin on a button. Returns a function that stops it. */
export function watchDrags(element: HTMLElement, { onStart, onMove, onEnd }: DragWatcher): () => void {
  let samples: Sample[] | null = null;
  let pointer = -1;
  function start({ pointerId, pointerType, isPrimary, clientY, timeStamp, target }: PointerEvent) {
    if (samples || !isPrimary || pointerType === 'mouse') return;
    if (target instanceof Element && target.closest('button')) return;
    const offset = onStart();
    if (offset === null) return;
    pointer = pointerId;
    samples = [{ y: clientY - offset, at: timeStamp }];
    element.setPointerCapture(pointerId);
  }
  function move({ pointerId, clientY, timeStamp }: PointerEvent) {
    if (!samples || pointerId !== pointer) return;
    samples.push({ y: clientY, at: timeStamp });
    onMove(samples);
  }
  function end({ pointerId, type }: PointerEvent) {
    if (!samples || pointerId !== pointer) return;
    const all = samples;
    samples = null;
    onEnd(all, type !== 'pointerup');
  }
  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener('pointerdown', start, { signal });
  element.addEventListener('pointermove', move, { signal });
  for (const type of ['pointerup', 'pointercancel'] as const) element.addEventListener(type, end, { signal });
  return () => stop.abort();
}
