import { type PointerEvent, useRef } from 'react';
import { lineSign } from '@/ui';

const LONG_PRESS_MS = 450;
const AXIS_PX = 10;
const REPLY_PX = 56;
const MAX_PULL_PX = 72;
/** The width of the system's back gesture at the edge where lines begin. */
const EDGE_PX = 24;

/** Whether the target is in an element with gestures of its own, such as a sheet or a slider inside the bubble. */
export const hasOwnGestures = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('dialog, [role="slider"], input, textarea') !== null;

/** Two taps within this time and distance are a double tap. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 24;

/** Whether a tap on the target does something of its own, such as opening a link or a picture. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button') !== null;

type Gestures = {
  onLongPress: () => void;
  onReply: (() => void) | null;
  onDoubleTap?: (() => void) | null;
};
type Touch = {
  id: number;
  x: number;
  y: number;
  axis: 'none' | 'across';
  timer: ReturnType<typeof setTimeout>;
};

/**
 * Ignores the click that some browsers dispatch when the finger of a long press is lifted: it would hit the menu that has
 * opened under the finger. A new touch or key ends the wait for it.
 */
function ignoreClickOfLift(): void {
  const waiting = new AbortController();
  const options = { capture: true, signal: waiting.signal };
  const ignore = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    waiting.abort();
  };
  addEventListener('click', ignore, options);
  addEventListener('pointerdown', () => waiting.abort(), options);
  addEventListener('keydown', () => waiting.abort(), options);
}

/** Returns a function that counts a finger which was lifted where it came down. */
function useDoubleTap(onDoubleTap: (() => void) | null) {
  const lastTap = useRef<{ at: number; x: number; y: number } | null>(null);
  return ({ timeStamp: at, clientX: x, clientY: y, target }: PointerEvent) => {
    const before = lastTap.current;
    lastTap.current = null;
    if (!onDoubleTap || isControl(target)) return;
    const isSecond =
      before && at - before.at < DOUBLE_TAP_MS && Math.hypot(x - before.x, y - before.y) < DOUBLE_TAP_PX;
    if (isSecond) onDoubleTap();
    else lastTap.current = { at, x, y };
  };
}

/**
 * Touch gestures on a bubble or a row: a long press opens the menu, a swipe to the end of the line starts a reply, a double tap
 * likes. The element is moved without React, and the browser scrolls (touch-action: pan-y).
 */
export function useTouchGestures({ onLongPress, onReply, onDoubleTap }: Gestures) {
  const touch = useRef<Touch | null>(null);
  const tap = useDoubleTap(onDoubleTap ?? null);

  function end(element: HTMLElement, pulled = false) {
    const current = touch.current;
    touch.current = null;
    if (!current) return;
    clearTimeout(current.timer);
    element.style.transform = '';
    delete element.dataset.pulled;
    if (pulled) onReply?.();
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch' || !event.isPrimary || hasOwnGestures(event.target)) return;
      const { pointerId: id, clientX: x, clientY: y, currentTarget } = event;
      const timer = setTimeout(() => {
        end(currentTarget);
        navigator.vibrate?.(10);
        ignoreClickOfLift();
        onLongPress();
      }, LONG_PRESS_MS);
      touch.current = { id, x, y, axis: 'none', timer };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = touch.current;
      if (!current || event.pointerId !== current.id) return;
      const sign = lineSign();
      const [dx, dy] = [sign * (event.clientX - current.x), event.clientY - current.y];
      if (current.axis === 'none') {
        if (Math.hypot(dx, dy) < AXIS_PX) return;
        clearTimeout(current.timer);
        const across =
          onReply && dx > Math.abs(dy) && (sign > 0 ? current.x : innerWidth - current.x) > EDGE_PX;
        if (!across) return end(event.currentTarget);
        current.axis = 'across';
        event.currentTarget.setPointerCapture(current.id);
      }
      const offset = Math.min(Math.max(0, dx), MAX_PULL_PX);
      event.currentTarget.style.transform = `translateX(${sign * offset}px)`;
      event.currentTarget.dataset.pulled = String(offset >= REPLY_PX);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (touch.current?.axis === 'none') tap(event);
      end(event.currentTarget, event.currentTarget.dataset.pulled === 'true');
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event.currentTarget),
  };
}
