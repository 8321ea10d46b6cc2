import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How long a finger rests before it takes a thing up: shorter strokes scroll the page. */
const restMs = 220;
const slackPx = 8;

type Grip = {
  id: string;
  element: HTMLElement;
  pointerId: number;
  /** Where in the thing it is held. */
  offset: { x: number; y: number };
  at: { x: number; y: number };
};

type Options = {
  ids: string[];
  /** Held over another place: shown, not saved. */
  onOver: (id: string, to: number) => void;
  onDrop: () => void;
};

/**
 * Things in a grid, put in order by mouse or finger. A place is an element with `data-place`; what is held is the
 * child that gets `grip(id)`, which follows the pointer while the others make room.
 */
export function useReorder({ ids, onOver, onDrop }: Options) {
  const held = useRef<Grip | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const [holding, setHolding] = useState<string | null>(null);

  // Once something is held the page stands still. React listens passively, so this cannot be a handler.
  useEffect(() => {
    const still = (event: TouchEvent) => held.current && event.preventDefault();
    document.addEventListener('touchmove', still, { passive: false });
    return () => {
      document.removeEventListener('touchmove', still);
      clearTimeout(waiting.current);
    };
  }, []);
  // The others have moved: its own place is elsewhere now, and it stays under the pointer.
  useLayoutEffect(follow);

  function take(grip: Grip) {
    held.current = grip;
    grip.element.setPointerCapture(grip.pointerId);
    setHolding(grip.id);
    navigator.vibrate?.(10);
  }

  function down(id: string, event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const at = { x: event.clientX, y: event.clientY };
    const offset = { x: at.x - left, y: at.y - top };
    const grip = { id, element: event.currentTarget, pointerId: event.pointerId, offset, at };
    clearTimeout(waiting.current);
    if (event.pointerType === 'mouse') take(grip);
    else {
      waiting.current = setTimeout(() => take(grip), restMs);
      start.current = at;
    }
  }

  function move(event: PointerEvent<HTMLElement>) {
    const grip = held.current;
    if (!grip) {
      const gone = Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y);
      if (gone > slackPx) clearTimeout(waiting.current);
      return;
    }
    grip.at = { x: event.clientX, y: event.clientY };
    follow();
    const under = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest<HTMLElement>('[data-place]'))
      .find((place) => place && !place.contains(grip.element));
    const to = Number(under?.dataset.place ?? ids.indexOf(grip.id));
    if (to !== ids.indexOf(grip.id)) onOver(grip.id, to);
  }

  function follow() {
    const grip = held.current;
    const place = grip?.element.closest('[data-place]');
    if (!grip || !place) return;
    const { left, top } = place.getBoundingClientRect();
    const [x, y] = [grip.at.x - grip.offset.x - left, grip.at.y - grip.offset.y - top];
    grip.element.style.transform = `translate(${x}px, ${y}px) scale(1.04)`;
  }

  function up() {
    clearTimeout(waiting.current);
    const grip = held.current;
    if (!grip) return;
    held.current = null;
    grip.element.style.transform = '';
    setHolding(null);
    onDrop();
  }

  return {
    holding,
    grip: (id: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => down(id, event),
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      // A long press would open the browser's menu for pictures.
      onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    }),
  };
}
