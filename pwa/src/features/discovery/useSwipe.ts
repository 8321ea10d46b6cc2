import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
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

/** Moves a card; exists once the animation library is loaded. Offsets are in CSS pixels, velocities in px/s. */
export type Mover = {
  /** Stops the card and returns its offset. */
  stop: () => Point;
  moveTo: (offset: Point) => void;
  /** Lets the card spring back. */
  release: (velocity: Point) => void;
};

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

/** Whether a press may begin a swipe: by a mouse or one finger, and not where the system's own gestures begin. */
const canSwipe = ({ isPrimary, button, pointerType, clientX }: PointerEvent): boolean =>
  isPrimary && button === 0 && (pointerType === 'mouse' || !startsAtEdge(clientX, innerWidth));

/** Sets the axis of the gesture once the pointer has moved far enough, and captures the pointer if it moves the card. */
function lockGesture(gesture: Gesture, event: PointerEvent, mover: Mover | null): void {
  const { currentTarget, pointerId, clientX, clientY } = event;
  const moved = { x: clientX - gesture.start.x, y: clientY - gesture.start.y };
  gesture.axis = lockAxis(moved, gesture.upward);
  if (gesture.axis === null || gesture.axis === 'scroll') return;
  currentTarget.setPointerCapture(pointerId);
  // From here on the card follows the finger without a jump over the first pixels, also when it was springing back.
  const offset = mover?.stop() ?? { x: 0, y: 0 };
  gesture.start = { x: clientX - offset.x, y: clientY - offset.y };
}

/** Once the axis of the gesture is known: moves the card, and returns the gesture with its newest offset. */
function followPointer(gesture: Gesture | null, event: PointerEvent, mover: Mover | null) {
  if (gesture?.pointer !== event.pointerId || gesture.axis === null) return null;
  const { axis, samples, start } = gesture;
  const offset = { x: event.clientX - start.x, y: event.clientY - start.y };
  samples.push({ ...offset, at: event.timeStamp });
  if (samples.length > 24) samples.shift();
  mover?.moveTo(offset);
  return { offset, axis, samples };
}

/** Whether the pointer was dragged. Such a drag does not click the button on which it ends. */
function useDragWithoutClick() {
  const dragged = useRef(false);
  const onClickCapture: Swipe['handlers']['onClickCapture'] = (event) => {
    if (!dragged.current) return;
    dragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  return { dragged, onClickCapture };
}

/**
 * Keeps the browser from scrolling by a gesture that moves the card. With `touch-action: pan-y` it scrolls on vertical
 * drags and cancels the pointer. An upward drag is a super like: preventing its first touchmove prevents the scroll for
 * the whole gesture.
 */
function usePreventedScroll(
  card: RefObject<HTMLElement | null>,
  gesture: RefObject<Gesture | null>,
  enabled: boolean,
): void {
  useEffect(() => {
    const element = card.current;
    if (!element || !enabled) return;
    const preventScroll = (event: TouchEvent) => {
      const finger = event.touches[0];
      if (!finger || !gesture.current || event.touches.length > 1) return;
      const { axis, start, upward } = gesture.current;
      const up = start.y - finger.clientY;
      const isOurs = axis === null ? upward && up > Math.abs(finger.clientX - start.x) : axis !== 'scroll';
      if (isOurs && event.cancelable) event.preventDefault();
    };
    element.addEventListener('touchmove', preventScroll, { passive: false });
    return () => {
      element.removeEventListener('touchmove', preventScroll);
      if (!gesture.current) return;
      // Its end would decide about the card that has come to the top instead, as by a key that undoes a pass.
      gesture.current = null;
      element.style.removeProperty('transform');
    };
  }, [card, gesture, enabled]);
}

/**
 * Decides what a gesture on the top card means, from the events of the pointer. A swipe decides also while the library
 * that moves the card is not loaded yet.
 */
export function useSwipe(
  card: RefObject<HTMLElement | null>,
  mover: RefObject<Mover | null>,
  enabled: boolean,
  /** Returns false if the decision is not possible; the card then springs back. */
  onThrow: (decision: Decision, velocity: Point) => boolean,
): Swipe {
  const width = useRef(360);
  const gesture = useRef<Gesture | null>(null);
  const { dragged, onClickCapture } = useDragWithoutClick();
  usePreventedScroll(card, gesture, enabled);

  function cancel(event: PointerEvent) {
    if (gesture.current?.pointer !== event.pointerId) return;
    gesture.current = null;
    mover.current?.release({ x: 0, y: 0 });
  }

  return {
    width,
    handlers: {
      onPointerDown(event) {
        dragged.current = false;
        if (!enabled || gesture.current || !canSwipe(event)) return;
        width.current = card.current?.offsetWidth ?? width.current;
        const start = { x: event.clientX, y: event.clientY };
        gesture.current = { pointer: event.pointerId, start, axis: null, samples: [], upward: isPageAtEnd() };
      },

      onPointerMove(event) {
        const current = gesture.current;
        if (current?.pointer !== event.pointerId) return;
        if (current.axis === null) lockGesture(current, event, mover.current);
        if (current.axis === 'scroll') gesture.current = null;
        else if (followPointer(current, event, mover.current)) dragged.current = true;
      },

      onPointerUp(event) {
        const swiped = followPointer(gesture.current, event, mover.current);
        if (gesture.current?.pointer === event.pointerId) gesture.current = null;
        if (!swiped) return;
        const velocity = velocityOf(swiped.samples);
        const decision = decisionOf(swiped.axis, swiped.offset, velocity, width.current);
        if (!decision || !onThrow(decision, velocity)) mover.current?.release(velocity);
      },

      onPointerCancel: cancel,
      onLostPointerCapture(event) {
        // The capture moves here from the element that was touched first; only losing it here ends the gesture.
        if (event.target === event.currentTarget) cancel(event);
      },

      onClickCapture,
    },
  };
}
