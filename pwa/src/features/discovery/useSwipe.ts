import { animate, type MotionValue, useMotionValue } from 'motion/react';
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import {
  type Axis,
  type Decision,
  decide,
  lockAxis,
  type Point,
  type Sample,
  startsAtEdge,
  velocityOf,
} from './gesture.ts';

type Track = { pointer: number; start: Point; axis: Axis | null; samples: Sample[]; upward: boolean };

type Swipe = {
  x: MotionValue<number>;
  y: MotionValue<number>;
  /** The card's width, read when the finger comes down: never while it moves. */
  width: RefObject<number>;
  /** For the card's element; spread on it. */
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
    onLostPointerCapture: (event: PointerEvent) => void;
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => void;
  };
};

/** While the page can scroll on, an upward drag is the page's. */
function pageEndsHere(): boolean {
  const page = document.scrollingElement;
  return !page || page.scrollTop + page.clientHeight >= page.scrollHeight - 1;
}

/**
 * The card in hand. Every move of the finger goes into motion values, past React, so that a slow phone only
 * has one transform to draw.
 */
export function useSwipe(
  card: RefObject<HTMLElement | null>,
  enabled: boolean,
  /** False: not taken, the card springs back. */
  onThrow: (decision: Decision, velocity: Point) => boolean,
): Swipe {
  const x = useMotionValue(0);
  const y = useMotionValue(0);
  const width = useRef(360);
  const track = useRef<Track | null>(null);
  /** A drag that ends on a button must not press it. */
  const dragged = useRef(false);

  useEffect(() => {
    const element = card.current;
    if (!element || !enabled) return;
    // `touch-action: pan-y` gives vertical drags to the browser, and it cancels the pointer when it takes one.
    // A drag up is ours (super like): said no to its first move, the browser leaves the whole gesture to us.
    const keep = (event: TouchEvent) => {
      const finger = event.touches[0];
      if (!finger || !track.current || event.touches.length > 1) return;
      const { axis, start, upward } = track.current;
      const up = start.y - finger.clientY;
      const ours = axis === null ? upward && up > Math.abs(finger.clientX - start.x) : axis !== 'scroll';
      if (ours && event.cancelable) event.preventDefault();
    };
    element.addEventListener('touchmove', keep, { passive: false });
    return () => element.removeEventListener('touchmove', keep);
  }, [card, enabled]);

  function springBack(velocity: Point) {
    const spring = { type: 'spring', stiffness: 480, damping: 32 } as const;
    animate(x, 0, { ...spring, velocity: velocity.x });
    animate(y, 0, { ...spring, velocity: velocity.y });
  }

  function cancel(event: PointerEvent) {
    if (track.current?.pointer !== event.pointerId) return;
    track.current = null;
    springBack({ x: 0, y: 0 });
  }

  return {
    x,
    y,
    width,
    handlers: {
      onPointerDown(event) {
        dragged.current = false;
        if (!enabled || track.current || !event.isPrimary || event.button !== 0) return;
        if (event.pointerType !== 'mouse' && startsAtEdge(event.clientX, innerWidth)) return;
        width.current = card.current?.offsetWidth ?? width.current;
        const start = { x: event.clientX, y: event.clientY };
        track.current = { pointer: event.pointerId, start, axis: null, samples: [], upward: pageEndsHere() };
      },

      onPointerMove(event) {
        const now = track.current;
        if (now?.pointer !== event.pointerId) return;
        if (now.axis === null) {
          const moved = { x: event.clientX - now.start.x, y: event.clientY - now.start.y };
          now.axis = lockAxis(moved, now.upward);
          if (now.axis === null) return;
          if (now.axis === 'scroll') {
            track.current = null;
            return;
          }
          dragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          // From here on the card stays under the finger: no jump over the first pixels, and a card caught
          // in the middle of springing back is taken from where it is.
          x.stop();
          y.stop();
          now.start = { x: event.clientX - x.get(), y: event.clientY - y.get() };
        }
        const offset = { x: event.clientX - now.start.x, y: event.clientY - now.start.y };
        now.samples.push({ ...offset, at: event.timeStamp });
        if (now.samples.length > 24) now.samples.shift();
        x.set(offset.x);
        y.set(offset.y);
      },

      onPointerUp(event) {
        const now = track.current;
        if (now?.pointer !== event.pointerId) return;
        track.current = null;
        if (now.axis === null) return;
        const offset = { x: x.get(), y: y.get() };
        now.samples.push({ ...offset, at: event.timeStamp });
        const velocity = velocityOf(now.samples);
        const decision = decide(now.axis, offset, velocity, width.current);
        if (!decision || !onThrow(decision, velocity)) springBack(velocity);
      },

      onPointerCancel: cancel,
      onLostPointerCapture(event) {
        // A finger's capture moves here from the element it came down on; only losing it from here ends it.
        if (event.target === event.currentTarget) cancel(event);
      },

      onClickCapture(event) {
        if (!dragged.current) return;
        dragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
