import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { notePlace, placeOf, readPlace, settle, whileDrawn } from './place.ts';
import type { ThreadItem } from './thread.ts';

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48;
/** Older messages are fetched before the reader reaches the top. */
const TOP_PX = 1200;

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
  const end = useEnd(box);
  const { follow, holding, pin, toEnd, setAtEnd } = end;
  const top = useRef(0);
  const begun = useRef(false);
  const shift = useGrownAbove(items);
  const onScrollEnd = usePlaceNoted(conversationId, box, follow, begun);

  const toItem = useCallback(
    (index: number, align: 'start' | 'center', offset = 0) => {
      // Else what holds the end just after opening would lead back there.
      holding.current?.abort();
      follow.current = false;
      setAtEnd(false);
      list.current?.scrollToIndex(index, { align, offset });
    },
    [list, follow, holding, setAtEnd],
  );

  function begin() {
    begun.current = true;
    const unread = items.findIndex(({ type }) => type === 'unread');
    const place = placeOf(conversationId);
    const left = place ? items.findIndex((item) => isMessage(item, place.clientId)) : -1;
    if (unread >= 0) return toItem(unread, 'start', -16);
    if (!place || left < 0) return toEnd();
    toItem(left, 'start', -place.top);
    if (box.current) holding.current = settle(box.current, place);
  }

  /** What fits into the window has no scrolling to say that its end is there. */
  function settled() {
    const { current } = box;
    if (!current) return;
    if (!follow.current && current.scrollHeight - current.clientHeight < NEAR_PX) toEnd();
    // From now on what comes into sight is where it belongs, and need not be hidden until it is measured.
    current.setAttribute('data-settled', '');
  }

  const { length } = items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items stand for what was just drawn
  useLayoutEffect(() => {
    if (length === 0) return;
    if (!begun.current) begin();
    pin();
    // Two frames, so that what was drawn is measured.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(settled);
    });
    return () => cancelAnimationFrame(frame);
  }, [items, length]);

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
  return { atEnd: end.atEnd, shift, toEnd, toItem, onScroll, onScrollEnd };
}

type Box = RefObject<HTMLElement | null>;

/** The end of the thread: whether it is followed, and the way there. */
function useEnd(box: Box) {
  const [atEnd, setAtEnd] = useState(true);
  const follow = useRef(true);
  /** What holds a place for some frames. */
  const holding = useRef<AbortController>(undefined);

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

  // The keyboard, a growing field, a late font and what was measured just now change the height: stay at the end.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(pin);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box, pin]);
  return { atEnd, setAtEnd, follow, holding, pin, toEnd };
}

/** Remembers the reader's place when scrolling ends, and when the conversation is left. */
function usePlaceNoted(id: string, box: Box, follow: RefObject<boolean>, begun: RefObject<boolean>) {
  const note = useCallback(
    (current: HTMLElement | null) => {
      if (current && begun.current) notePlace(id, follow.current ? null : readPlace(current));
    },
    [id, follow, begun],
  );
  // Whoever leaves while it still scrolls has a place as well: the messages are there until after this.
  useLayoutEffect(() => {
    const { current } = box;
    return () => note(current);
  }, [box, note]);
  return () => note(box.current);
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
