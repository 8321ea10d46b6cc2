import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { onWipe } from '@/offline/wipe.ts';
import type { ThreadItem } from './thread.ts';

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48;
/** Older messages are fetched before the reader reaches the top. */
const TOP_PX = 1200;

/** Where the reader was, by conversation: the topmost item, its message, and how much of it was out of sight. */
type Place = { key: string; seq: number; offset: number };
const places = new Map<string, Place>();
onWipe(() => places.clear());

/** Where the conversation was left, unless that was at the end. */
export const placeOf = (conversationId: string): Place | undefined => places.get(conversationId);

type Options = {
  conversationId: string;
  items: ThreadItem[];
  box: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  onTop: () => void;
};

/**
 * Holds the reader's place: at the end it follows new messages, further up nothing moves, whether messages come
 * below or above. It begins at the first unread message where there is one, else where the reader left, else at
 * the end.
 */
export function useThreadScroll({ conversationId, items, box, list, onTop }: Options) {
  const [atEnd, setAtEnd] = useState(true);
  const follow = useRef(true);
  const top = useRef(0);
  const begun = useRef(false);
  const shift = useGrownAbove(items);

  const pin = useCallback(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [box]);

  const toEnd = useCallback(() => {
    follow.current = true;
    setAtEnd(true);
    pin();
  }, [pin]);

  const toItem = useCallback(
    (index: number, align: 'start' | 'center', offset = 0) => {
      follow.current = false;
      setAtEnd(false);
      list.current?.scrollToIndex(index, { align, offset });
    },
    [list],
  );

  const { length } = items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items stand for what was just drawn
  useLayoutEffect(() => {
    if (length === 0) return;
    if (!begun.current) {
      begun.current = true;
      const [index, offset] = beginning(items, placeOf(conversationId));
      if (index !== null) toItem(index, 'start', offset);
    }
    pin();
  }, [items, length]);

  // The keyboard, a growing field, a late font and what was measured just now change the height: stay at the end.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(pin);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box, pin]);

  const onScroll = () => {
    const { current } = box;
    if (!current || !begun.current) return;
    const near = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    // Only a move upwards leaves the end: a taller thread or a smaller pane is not the reader's doing.
    follow.current = near || (follow.current && current.scrollTop >= top.current);
    top.current = current.scrollTop;
    setAtEnd(follow.current);
    if (follow.current) places.delete(conversationId);
    else if (list.current) notePlace(conversationId, items, list.current);
    if (current.scrollTop < TOP_PX) onTop();
  };
  return { atEnd, shift, toEnd, toItem, onScroll };
}

/** Whether items came in above since the last drawing: then the place is held from the end. */
function useGrownAbove(items: ThreadItem[]): boolean {
  const first = items.find(({ type }) => type === 'message')?.key;
  const drawn = useRef(first);
  useEffect(() => {
    drawn.current = first;
  }, [first]);
  return drawn.current !== undefined && first !== undefined && drawn.current !== first;
}

function beginning(items: ThreadItem[], place: Place | undefined): [index: number | null, offset: number] {
  const unread = items.findIndex(({ type }) => type === 'unread');
  if (unread >= 0) return [unread, -16];
  const left = place ? items.findIndex(({ key }) => key === place.key) : -1;
  return left >= 0 && place ? [left, place.offset] : [null, 0];
}

function notePlace(conversationId: string, items: ThreadItem[], list: VirtualizerHandle): void {
  let index = list.findItemIndex(list.scrollOffset);
  const offset = list.scrollOffset - list.getItemOffset(index);
  const { key } = items[index] ?? {};
  while (items[index] && items[index]?.type !== 'message') index += 1;
  const item = items[index];
  if (!key || item?.type !== 'message' || item.row.seq === null) return;
  places.set(conversationId, { key, seq: item.row.seq, offset });
}
