import {
  type PointerEvent as PointerDown,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** How long a finger must rest to start dragging; shorter touches scroll the page. */
const DRAG_DELAY_MS = 220;
const SLACK_PX = 8;

type Point = { x: number; y: number };
type Drag = {
  id: string;
  element: HTMLElement;
  pointerId: number;
  from: Point;
  at: Point;
  /** The pointer's position within the element. */
  offset: Point;
};

type Options = {
  ids: string[];
  /** Called while an item is over another slot; the order is shown, not saved. */
  onOver: (id: string, to: number) => void;
  onDrop: () => void;
};

/**
 * Reorders the items of a grid by mouse or finger. A slot is an element with the props of `slotProps(index)`; the
 * dragged element is the child with the handlers of `dragHandlers(id)`, which follows the pointer while the others make
 * room. The pointer is followed on the document, because an element that moves in the list loses its pointer capture.
 */
export function useReorder({ ids, onOver, onDrop }: Options) {
  const drag = useRef<Drag | null>(null);
  const [pressed, setPressed] = useState<string | null>(null);
  const [draggedId, setDraggedId] = useState<string | null>(null);

  function move(event: PointerEvent) {
    const current = drag.current;
    if (event.pointerId !== current?.pointerId) return;
    current.at = { x: event.clientX, y: event.clientY };
    if (draggedId) {
      followPointer(current);
      const to = slotUnder(current);
      if (to !== null && to !== ids.indexOf(current.id)) onOver(current.id, to);
    } else if (Math.hypot(current.at.x - current.from.x, current.at.y - current.from.y) > SLACK_PX) endDrag();
  }

  function end(event: PointerEvent) {
    const current = drag.current;
    if (event.pointerId !== current?.pointerId) return;
    endDrag();
    if (draggedId) onDrop();
  }

  usePointer(pressed !== null, move, end);
  useLongPress(pressed, setDraggedId);
  usePreventScroll(draggedId !== null);
  // The element's slot has moved; it stays under the pointer.
  useLayoutEffect(() => {
    if (draggedId && drag.current) followPointer(drag.current);
  });

  function endDrag() {
    if (drag.current) drag.current.element.style.transform = '';
    drag.current = null;
    setPressed(null);
    setDraggedId(null);
  }

  function down(id: string, event: PointerDown<HTMLElement>) {
    if (event.button !== 0 || drag.current) return;
    drag.current = dragOf(id, event);
    setPressed(id);
    if (event.pointerType === 'mouse') setDraggedId(id);
  }

  return {
    draggedId,
    slotProps: (index: number) => ({ 'data-slot': index }),
    dragHandlers: (id: string) => ({
      onPointerDown: (event: PointerDown<HTMLElement>) => down(id, event),
      // A long press would open the browser's menu for pictures.
      onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    }),
  };
}

function dragOf(
  id: string,
  { currentTarget, clientX: x, clientY: y, pointerId }: PointerDown<HTMLElement>,
): Drag {
  const { left, top } = currentTarget.getBoundingClientRect();
  const at = { x, y };
  return { id, element: currentTarget, pointerId, from: at, at, offset: { x: x - left, y: y - top } };
}

/** Moves the dragged element from its slot to the pointer. */
function followPointer({ element, at, offset }: Drag): void {
  const slot = element.closest('[data-slot]');
  if (!slot) return;
  const { left, top } = slot.getBoundingClientRect();
  element.style.transform = `translate(${at.x - offset.x - left}px, ${at.y - offset.y - top}px) scale(1.04)`;
}

/** Calls `onLongPress` when an item has been pressed for DRAG_DELAY_MS. */
function useLongPress(pressed: string | null, onLongPress: (id: string) => void): void {
  const start = useEffectEvent(onLongPress);
  useEffect(() => {
    if (!pressed) return;
    const timer = setTimeout(() => {
      start(pressed);
      navigator.vibrate?.(10);
    }, DRAG_DELAY_MS);
    return () => clearTimeout(timer);
  }, [pressed]);
}

type OnPointer = (event: PointerEvent) => void;

/** Listens on the document from pointerdown to pointerup. */
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

/** Prevents the page from scrolling while dragging. React's touch listeners are passive, so this is a native one. */
function usePreventScroll(isDragging: boolean) {
  const preventScroll = useEffectEvent((event: TouchEvent) => isDragging && event.preventDefault());
  useEffect(() => {
    document.addEventListener('touchmove', preventScroll, { passive: false });
    return () => document.removeEventListener('touchmove', preventScroll);
  }, []);
}

/** Returns the index of the slot under the pointer; null for none, or for the element's own slot. */
function slotUnder({ element, at }: Drag): number | null {
  const slot = document
    .elementsFromPoint(at.x, at.y)
    .map((under) => under.closest<HTMLElement>('[data-slot]'))
    .find((under) => under && !under.contains(element));
  return slot ? Number(slot.dataset.slot) : null;
}
