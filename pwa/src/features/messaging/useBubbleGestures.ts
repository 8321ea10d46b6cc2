import { type PointerEvent, useRef } from 'react';

const LONG_PRESS_MS = 450;
const AXIS_PX = 10;
const REPLY_PX = 56;
const FARTHEST_PX = 72;
/** The system's own way back begins here. */
const EDGE_PX = 24;

/** A sheet that was opened from the bubble, a time line in it: what is done there is not meant for the bubble. */
export const hasOwnGestures = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('dialog, [role="slider"], input, textarea') !== null;

type Gestures = { onLongPress: () => void; onReply: (() => void) | null };
type Touch = {
  id: number;
  x: number;
  y: number;
  axis: 'none' | 'across';
  timer: ReturnType<typeof setTimeout>;
};

/**
 * A finger on a bubble: held still it opens the menu, pulled to the right it answers the message. The bubble
 * follows the finger without React, and scrolling stays the browser's (touch-action: pan-y).
 */
export function useBubbleGestures({ onLongPress, onReply }: Gestures) {
  const touch = useRef<Touch | null>(null);

  function end(element: HTMLElement, pulled = false) {
    const now = touch.current;
    touch.current = null;
    if (!now) return;
    clearTimeout(now.timer);
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
        onLongPress();
      }, LONG_PRESS_MS);
      touch.current = { id, x, y, axis: 'none', timer };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = touch.current;
      if (!now || event.pointerId !== now.id) return;
      const [dx, dy] = [event.clientX - now.x, event.clientY - now.y];
      if (now.axis === 'none') {
        if (Math.hypot(dx, dy) < AXIS_PX) return;
        clearTimeout(now.timer);
        const across = onReply && dx > Math.abs(dy) && now.x > EDGE_PX;
        if (!across) return end(event.currentTarget);
        now.axis = 'across';
        event.currentTarget.setPointerCapture(now.id);
      }
      const way = Math.min(Math.max(0, dx), FARTHEST_PX);
      event.currentTarget.style.transform = `translateX(${way}px)`;
      event.currentTarget.dataset.pulled = String(way >= REPLY_PX);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) =>
      end(event.currentTarget, event.currentTarget.dataset.pulled === 'true'),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event.currentTarget),
  };
}
