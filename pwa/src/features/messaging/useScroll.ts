import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48;
/** Older messages are fetched before the reader reaches the top. */
const TOP_PX = 400;

type Options = { firstKey: string | undefined; lastKey: string | undefined; onTop: () => void };

/**
 * Holds the reader's place: at the end it follows new messages, further up
 * nothing moves, whether messages come below or above; it begins at the first
 * unread message (`[data-unread]`) where there is one.
 */
export function useScroll(box: RefObject<HTMLElement | null>, { firstKey, lastKey, onTop }: Options) {
  const [atEnd, setAtEnd] = useState(true);
  const follow = useRef(true);
  const top = useRef(0);
  const last = useRef({ firstKey: undefined as string | undefined, height: 0, begun: false });

  const toEnd = useCallback(() => {
    follow.current = true;
    setAtEnd(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [box]);

  // Only a move upwards leaves the end: a taller thread or a smaller pane is not the reader's doing.
  const measure = useCallback(() => {
    const { current } = box;
    if (!current) return;
    const near = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    follow.current = near || (follow.current && current.scrollTop >= top.current);
    top.current = current.scrollTop;
    setAtEnd(follow.current);
  }, [box]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the rows that were just drawn
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || !firstKey) return;
    if (!last.current.begun) {
      begin(current);
      last.current.begun = true;
      // Where the unread begin may be far from the end.
      follow.current = false;
      measure();
    } else if (follow.current) current.scrollTop = current.scrollHeight;
    else if (last.current.firstKey !== firstKey)
      current.scrollTop += current.scrollHeight - last.current.height;
    last.current.firstKey = firstKey;
    last.current.height = current.scrollHeight;
  }, [firstKey, lastKey]);

  // The keyboard, a growing field or a late font change the height: stay at the end.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      if (follow.current) current.scrollTop = current.scrollHeight;
    });
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  const onScroll = () => {
    measure();
    if (box.current && box.current.scrollTop < TOP_PX) onTop();
  };
  return { atEnd, toEnd, onScroll };
}

function begin(box: HTMLElement): void {
  const unread = box.querySelector<HTMLElement>('[data-unread]');
  if (!unread) {
    box.scrollTop = box.scrollHeight;
    return;
  }
  box.scrollTop += unread.getBoundingClientRect().top - box.getBoundingClientRect().top - 16;
}
