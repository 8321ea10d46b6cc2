import {
  type PointerEvent as PointerDown,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** How long a finger rests before it takes a thing up: shorter strokes scroll the page. */
const restMs = 220;
const slackPx = 8;

type Spot = { x: number; y: number };
type Grip = {
  id: string;
  element: HTMLElement;
  pointerId: number;
  from: Spot;
  at: Spot;
  /** Where in the thing it is held. */
  offset: Spot;
};

type Options = {
  ids: string[];
  /** Held over another place: shown, not saved. */
  onOver: (id: string, to: number) => void;
  onDrop: () => void;
};

/**
 * Things in a grid, put in order by mouse or finger. A place is an element with `data-place`; what is held is the
 * child that gets `grip(id)`, which follows the pointer while the others make room. The pointer is followed on the
 * document: an element that changes its place in the list loses its hold on it.
 */
export function useReorder({ ids, onOver, onDrop }: Options) {
  const grip = useRef<Grip | null>(null);
  const [pressed, setPressed] = useState<string | null>(null);
  const [holding, setHolding] = useState<string | null>(null);

  function move(event: PointerEvent) {
    const held = grip.current;
    if (event.pointerId !== held?.pointerId) return;
    held.at = { x: event.clientX, y: event.clientY };
    if (holding) {
      follow();
      const to = placeUnder(held);
      if (to !== null && to !== ids.indexOf(held.id)) onOver(held.id, to);
    } else if (Math.hypot(held.at.x - held.from.x, held.at.y - held.from.y) > slackPx) letGo();
  }

  function end(event: PointerEvent) {
    const held = grip.current;
    if (event.pointerId !== held?.pointerId) return;
    letGo();
    if (holding) onDrop();
  }

  usePointer(pressed !== null, move, end);
  useEffect(() => {
    if (!pressed) return;
    const timer = setTimeout(() => {
      setHolding(pressed);
      navigator.vibrate?.(10);
    }, restMs);
    return () => clearTimeout(timer);
  }, [pressed]);

  useStillPage(holding !== null);
  // The others have moved: its own place is elsewhere now, and it stays under the pointer.
  useLayoutEffect(() => {
    if (holding) follow();
  });

  function letGo() {
    if (grip.current) grip.current.element.style.transform = '';
    grip.current = null;
    setPressed(null);
    setHolding(null);
  }

  function follow() {
    const held = grip.current;
    const place = held?.element.closest('[data-place]');
    if (!held || !place) return;
    const { left, top } = place.getBoundingClientRect();
    const [x, y] = [held.at.x - held.offset.x - left, held.at.y - held.offset.y - top];
    held.element.style.transform = `translate(${x}px, ${y}px) scale(1.04)`;
  }

  function down(id: string, event: PointerDown<HTMLElement>) {
    if (event.button !== 0 || grip.current) return;
    const element = event.currentTarget;
    const { left, top } = element.getBoundingClientRect();
    const at = { x: event.clientX, y: event.clientY };
    const offset = { x: at.x - left, y: at.y - top };
    grip.current = { id, element, pointerId: event.pointerId, from: at, at, offset };
    setPressed(id);
    if (event.pointerType === 'mouse') setHolding(id);
  }

  return {
    holding,
    grip: (id: string) => ({
      onPointerDown: (event: PointerDown<HTMLElement>) => down(id, event),
      // A long press would open the browser's menu for pictures.
      onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    }),
  };
}

type OnPointer = (event: PointerEvent) => void;

/** The pointer wherever it goes, from when it is pressed until it is let go. */
function usePointer(pressed: boolean, onMove: OnPointer, onEnd: OnPointer) {
  const move = useEffectEvent(onMove);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (!pressed) return;
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointermove', move, { signal });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
    return () => listening.abort();
  }, [pressed]);
}

/** While something is held the page does not scroll. React listens passively, so this cannot be a handler. */
function useStillPage(holding: boolean) {
  const still = useEffectEvent((event: TouchEvent) => holding && event.preventDefault());
  useEffect(() => {
    document.addEventListener('touchmove', still, { passive: false });
    return () => document.removeEventListener('touchmove', still);
  }, []);
}

/** The number of the place that the pointer is over; null over none, and over its own. */
function placeUnder({ element, at }: Grip): number | null {
  const place = document
    .elementsFromPoint(at.x, at.y)
    .map((under) => under.closest<HTMLElement>('[data-place]'))
    .find((under) => under && !under.contains(element));
  return place ? Number(place.dataset.place) : null;
}
