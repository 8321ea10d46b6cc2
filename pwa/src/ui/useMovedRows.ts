import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useMovers } from './motion.ts';

type Place = { x: number; y: number };

/**
 * Moves the rows of a list from their old places to the new ones when `order`, which names the rows in their order, changes.
 * The order of the document changes at once, for keys and assistive technology.
 */
export function useMovedRows(list: RefObject<HTMLElement | null>, order: string): void {
  const movers = useMovers();
  const before = useRef({ width: 0, places: new Map<Element, Place>() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: places are read when the order has changed
  useLayoutEffect(() => {
    const box = list.current;
    // A hidden list has no places.
    if (!movers || !box?.offsetHeight) {
      before.current = { width: 0, places: new Map() };
      return;
    }
    const now = { width: box.clientWidth, places: placesOf(box) };
    const { width, places } = before.current;
    before.current = now;
    if (width !== now.width) return;
    for (const [row, place] of now.places) {
      const old = places.get(row);
      if (!old || (old.x === place.x && old.y === place.y)) continue;
      const isSeen = isInView(box, row, place.y) || isInView(box, row, old.y);
      if (isSeen) movers.moveRow(row, { x: old.x - place.x, y: old.y - place.y });
    }
  }, [list, movers, order]);
}

function placesOf(box: HTMLElement): Map<HTMLElement, Place> {
  const places = new Map<HTMLElement, Place>();
  for (const row of box.children)
    if (row instanceof HTMLElement) {
      const isParent = row.offsetParent === box;
      const y = row.offsetTop - (isParent ? 0 : box.offsetTop);
      places.set(row, { x: row.offsetLeft - (isParent ? 0 : box.offsetLeft), y });
    }
  return places;
}

/** Whether a row `y` pixels below the start of the list is in view. */
function isInView(box: HTMLElement, row: HTMLElement, y: number): boolean {
  const top = box.getBoundingClientRect().top - box.scrollTop + y;
  return top < innerHeight && top + row.offsetHeight > 0;
}
