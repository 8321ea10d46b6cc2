import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { onWipe } from '@/offline/wipe.ts';
import type { ThreadItem } from './thread.ts';

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48;
/** Older messages are fetched before the reader reaches the top. */
const TOP_PX = 1200;

/** Where the reader was, by conversation: the topmost message, and how far below the top it stood. */
type Place = { clientId: string; seq: number; top: number };
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
  const holding = useRef<AbortController>(undefined);
  const shift = useGrownAbove(items);

  const pin = useCallback(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [box]);

  const toEnd = useCallback(() => {
    const follows = () => {
      follow.current = true;
      pin();
    };
    follows();
    setAtEnd(true);
    // From far away the heights on the way are guesses, which are put right as the end is drawn.
    holding.current?.abort();
    if (box.current) holding.current = whileDrawn(box.current, follows);
  }, [box, pin]);

  const toItem = useCallback(
    (index: number, align: 'start' | 'center', offset = 0) => {
      // Else what holds the end just after opening would lead back there.
      holding.current?.abort();
      follow.current = false;
      setAtEnd(false);
      list.current?.scrollToIndex(index, { align, offset });
    },
    [list],
  );

  const toPlace = useCallback(
    (index: number, place: Place) => {
      toItem(index, 'start', -place.top);
      if (box.current) holding.current = settle(box.current, place);
    },
    [box, toItem],
  );

  /** What fits into the window has no scrolling to say that its end is there. */
  const allInSight = useCallback(() => {
    const { current } = box;
    if (current && !follow.current && current.scrollHeight - current.clientHeight < NEAR_PX) toEnd();
  }, [box, toEnd]);

  const { length } = items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items stand for what was just drawn
  useLayoutEffect(() => {
    if (length === 0) return;
    if (!begun.current) {
      begun.current = true;
      const unread = items.findIndex(({ type }) => type === 'unread');
      const place = placeOf(conversationId);
      const left = place ? items.findIndex((item) => isMessage(item, place.clientId)) : -1;
      if (unread >= 0) toItem(unread, 'start', -16);
      else if (place && left >= 0) toPlace(left, place);
      else toEnd();
    }
    pin();
    // Two frames, so that what was drawn is measured.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(allInSight);
    });
    return () => cancelAnimationFrame(frame);
  }, [items, length]);

  const note = useCallback(
    (current: HTMLElement | null) => {
      if (!current || !begun.current) return;
      const place = follow.current ? null : readPlace(current);
      if (place) places.set(conversationId, place);
      else places.delete(conversationId);
    },
    [conversationId],
  );

  // Whoever leaves while it still scrolls has a place as well: the messages are there until after this.
  useLayoutEffect(() => {
    const { current } = box;
    return () => note(current);
  }, [box, note]);

  // The keyboard, a growing field, a late font and what was measured just now change the height: stay at the end.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(pin);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box, pin]);

  // The list knows its measures: asking the browser would make it lay out the page once more with each frame.
  const onScroll = (offset: number) => {
    const { current } = list;
    if (!current || !begun.current) return;
    const near = current.scrollSize - offset - current.viewportSize < NEAR_PX;
    // Only a move upwards leaves the end: a taller thread or a smaller pane is not the reader's doing.
    follow.current = near || (follow.current && offset >= top.current);
    top.current = offset;
    setAtEnd(follow.current);
    if (offset < TOP_PX) onTop();
  };
  return { atEnd, shift, toEnd, toItem, onScroll, onScrollEnd: () => note(box.current) };
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

const isMessage = (item: ThreadItem, clientId: string) =>
  item.type === 'message' && item.row.clientId === clientId;

/** The topmost message in sight. */
function readPlace(box: HTMLElement): Place | null {
  const { top } = box.getBoundingClientRect();
  for (const bubble of box.querySelectorAll<HTMLElement>('[data-seq]')) {
    const { clientId, seq } = bubble.dataset;
    const rect = bubble.getBoundingClientRect();
    if (rect.bottom > top && clientId) return { clientId, seq: Number(seq), top: rect.top - top };
  }
  return null;
}

const FRAMES = 20;

/** Works for some frames, in which what was brought into sight is measured, unless the reader moves it. */
function whileDrawn(box: HTMLElement, work: () => void): AbortController {
  const done = new AbortController();
  for (const event of ['wheel', 'pointerdown', 'keydown'])
    box.addEventListener(event, () => done.abort(), { passive: true, signal: done.signal });
  let left = FRAMES;
  const step = () => {
    left -= 1;
    if (left < 0 || !box.isConnected) done.abort();
    if (done.signal.aborted) return;
    work();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return done;
}

/** What lies above is measured while it is drawn: the message is put back to where it was left. */
function settle(box: HTMLElement, { clientId, top }: Place): AbortController {
  return whileDrawn(box, () => {
    const bubble = box.querySelector(`[data-client-id="${CSS.escape(clientId)}"]`);
    const off = bubble ? bubble.getBoundingClientRect().top - box.getBoundingClientRect().top - top : 0;
    if (Math.abs(off) >= 1) box.scrollTop += off;
  });
}
