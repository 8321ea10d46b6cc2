import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { CardMotion } from './cardMotion.ts';
import { spring } from './curves.ts';
import {
  type Axis,
  type Decision,
  decisionOf,
  lockAxis,
  type Point,
  type Sample,
  startsAtEdge,
  velocityOf,
} from './gesture.ts';

type Gesture = { pointer: number; start: Point; axis: Axis | null; samples: Sample[]; upward: boolean };

type Swipe = {
  /** The card's width, read on pointerdown and not during the gesture. */
  width: RefObject<number>;
  /** The handlers for the card's element. */
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
    onLostPointerCapture: (event: PointerEvent) => void;
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => void;
  };
};

/** Whether the page is scrolled to its end; before, an upward drag scrolls it. */
function isPageAtEnd(): boolean {
  const page = document.scrollingElement;
  return !page || page.scrollTop + page.clientHeight >= page.scrollHeight - 1;
}

/** The swipe of the top card. It moves the card without a React render, so that a slow phone only draws one transform. */
export function useSwipe(
  card: RefObject<HTMLElement | null>,
  motion: CardMotion,
  enabled: boolean,
  /** Returns false if the decision is not possible; the card then springs back. */
  onThrow: (decision: Decision, velocity: Point) => boolean,
): Swipe {
  const width = useRef(360);
  const gesture = useRef<Gesture | null>(null);
  /** Whether the pointer was dragged: the drag must not click the button on which it ends. */
  const dragged = useRef(false);

  useEffect(() => {
    const element = card.current;
    if (!element || !enabled) return;
    // With `touch-action: pan-y` the browser scrolls on vertical drags and cancels the pointer. An upward drag is a
    // super like: preventing its first touchmove keeps the browser from scrolling for the whole gesture.
    const preventScroll = (event: TouchEvent) => {
      const finger = event.touches[0];
      if (!finger || !gesture.current || event.touches.length > 1) return;
      const { axis, start, upward } = gesture.current;
      const up = start.y - finger.clientY;
      const isOurs = axis === null ? upward && up > Math.abs(finger.clientX - start.x) : axis !== 'scroll';
      if (isOurs && event.cancelable) event.preventDefault();
    };
    element.addEventListener('touchmove', preventScroll, { passive: false });
    return () => element.removeEventListener('touchmove', preventScroll);
  }, [card, enabled]);

  function springBack(velocity: Point) {
    motion.animate('x', spring(motion.get('x'), velocity.x));
    motion.animate('y', spring(motion.get('y'), velocity.y));
  }

  function cancel(event: PointerEvent) {
    if (gesture.current?.pointer !== event.pointerId) return;
    gesture.current = null;
    springBack({ x: 0, y: 0 });
  }

  return {
    width,
    handlers: {
      onPointerDown(event) {
        dragged.current = false;
        if (!enabled || gesture.current || !event.isPrimary || event.button !== 0) return;
        if (event.pointerType !== 'mouse' && startsAtEdge(event.clientX, innerWidth)) return;
        width.current = card.current?.offsetWidth ?? width.current;
        const start = { x: event.clientX, y: event.clientY };
        gesture.current = { pointer: event.pointerId, start, axis: null, samples: [], upward: isPageAtEnd() };
      },

      onPointerMove(event) {
        const current = gesture.current;
        if (current?.pointer !== event.pointerId) return;
        if (current.axis === null) {
          const moved = { x: event.clientX - current.start.x, y: event.clientY - current.start.y };
          current.axis = lockAxis(moved, current.upward);
          if (current.axis === null) return;
          if (current.axis === 'scroll') {
            gesture.current = null;
            return;
          }
          dragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          // From here on the card follows the finger without a jump over the first pixels, also when it was springing
          // back.
          motion.stopMoving();
          current.start = { x: event.clientX - motion.get('x'), y: event.clientY - motion.get('y') };
        }
        const offset = { x: event.clientX - current.start.x, y: event.clientY - current.start.y };
        current.samples.push({ ...offset, at: event.timeStamp });
        if (current.samples.length > 24) current.samples.shift();
        motion.moveTo(offset.x, offset.y);
      },

      onPointerUp(event) {
        const current = gesture.current;
        if (current?.pointer !== event.pointerId) return;
        gesture.current = null;
        if (current.axis === null) return;
        const offset = { x: motion.get('x'), y: motion.get('y') };
        current.samples.push({ ...offset, at: event.timeStamp });
        const velocity = velocityOf(current.samples);
        const decision = decisionOf(current.axis, offset, velocity, width.current);
        if (!decision || !onThrow(decision, velocity)) springBack(velocity);
      },

      onPointerCancel: cancel,
      onLostPointerCapture(event) {
        // The capture moves here from the element that was touched first; only losing it here ends the gesture.
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
