import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useSession } from '@/base/pageSession.ts';
import {
  positionOf,
  readPosition,
  repeatForFrames,
  restorePosition,
  storePosition,
} from './scrollPosition.ts';
import type { ThreadItem } from './thread.ts';

/** A distance from the end that still counts as being at it. */
const END_PX = 48;
/** Older messages are loaded at this distance from the top. */
const TOP_PX = 1200;

type Options = {
  conversationId: string;
  items: ThreadItem[];
  box: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  onTop: () => void;
};

/**
 * Controls the thread's scroll position. At the end it follows new messages; further up nothing moves when rows are
 * added below or above. It starts at the first unread message, or at the stored position, or at the end.
 */
export function useThreadScroll({ conversationId, items, box, list, onTop }: Options) {
  const session = useSession();
  const end = useStickToEnd(box);
  const { followsEnd, correction, stickToEnd, scrollToEnd, setAtEnd } = end;
  const top = useRef(0);
  const started = useRef(false);
  const shift = usePrepended(items);
  const onScrollEnd = useStorePosition(conversationId, box, followsEnd, started);

  const scrollToItem = useCallback(
    (index: number, align: 'start' | 'center', offset = 0) => {
      // Otherwise the corrections that follow scrollToEnd would scroll back to the end.
      correction.current?.abort();
      followsEnd.current = false;
      setAtEnd(false);
      list.current?.scrollToIndex(index, { align, offset });
    },
    [list, followsEnd, correction, setAtEnd],
  );

  function start() {
    started.current = true;
    const unread = items.findIndex(({ type }) => type === 'unread');
    const position = positionOf(session, conversationId);
    const index = position ? items.findIndex((item) => isMessage(item, position.clientId)) : -1;
    if (unread >= 0) return scrollToItem(unread, 'start', -16);
    if (!position || index < 0) return scrollToEnd();
    scrollToItem(index, 'start', -position.top);
    if (box.current) correction.current = restorePosition(box.current, position);
  }

  /** Runs after rows are measured. A thread that fits into the box fires no scroll event, so its end is set here. */
  function afterMeasured() {
    const { current } = box;
    if (!current) return;
    if (!followsEnd.current && current.scrollHeight - current.clientHeight < END_PX) scrollToEnd();
    // From now on rows have their final position and need not be hidden until they are measured.
    current.setAttribute('data-settled', '');
  }

  useDrawnItems(items, afterMeasured, () => {
    if (!started.current) start();
    stickToEnd();
  });

  // Uses the list's own measurements: reading the DOM would force a layout in each frame.
  const onScroll = (offset: number) => {
    const { current } = list;
    if (!current || !started.current) return;
    const near = current.scrollSize - offset - current.viewportSize < END_PX;
    // Only scrolling up leaves the end, not a taller thread or a smaller box.
    followsEnd.current = near || (followsEnd.current && offset >= top.current);
    top.current = offset;
    setAtEnd(followsEnd.current);
    if (offset < TOP_PX) onTop();
  };
  return { atEnd: end.atEnd, shift, scrollToEnd, scrollToItem, onScroll, onScrollEnd };
}

/** Calls `onDrawn` after each change of the drawn items, and `onMeasured` once their rows are measured. */
function useDrawnItems(items: ThreadItem[], onMeasured: () => void, onDrawn: () => void): void {
  const handleDrawn = useEffectEvent(onDrawn);
  const handleMeasured = useEffectEvent(onMeasured);
  useLayoutEffect(() => {
    if (items.length === 0) return;
    handleDrawn();
    // After two frames the drawn rows are measured.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(handleMeasured);
    });
    return () => cancelAnimationFrame(frame);
  }, [items]);
}

type Box = RefObject<HTMLElement | null>;

/** Whether the thread follows its end, and functions that scroll there. */
function useStickToEnd(box: Box) {
  const [atEnd, setAtEnd] = useState(true);
  const followsEnd = useRef(true);
  /** Aborts the correction of the position in the next frames. */
  const correction = useRef<AbortController>(undefined);

  const stickToEnd = useCallback(() => {
    if (followsEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [box]);

  const scrollToEnd = useCallback(() => {
    const keepAtEnd = () => {
      followsEnd.current = true;
      stickToEnd();
    };
    keepAtEnd();
    setAtEnd(true);
    // From far away the heights of the skipped rows are estimates, which are corrected as the end is drawn.
    correction.current?.abort();
    if (box.current) correction.current = repeatForFrames(box.current, keepAtEnd);
  }, [box, stickToEnd]);

  // The keyboard, a growing field, a late font and measurements change the height: stay at the end.
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(stickToEnd);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box, stickToEnd]);
  return { atEnd, setAtEnd, followsEnd, correction, stickToEnd, scrollToEnd };
}

/** Stores the scroll position when scrolling ends and when the conversation is left. */
function useStorePosition(id: string, box: Box, followsEnd: RefObject<boolean>, started: RefObject<boolean>) {
  const session = useSession();
  const store = useCallback(
    (current: HTMLElement | null) => {
      if (current && started.current)
        storePosition(session, id, followsEnd.current ? null : readPosition(current));
    },
    [session, id, followsEnd, started],
  );
  // Also when the reader leaves while it scrolls: a layout effect's cleanup runs before the rows are removed.
  useLayoutEffect(() => {
    const { current } = box;
    return () => store(current);
  }, [box, store]);
  return () => store(box.current);
}

/** Whether rows were added above since the last render; then the list preserves the distance from the end. */
function usePrepended(items: ThreadItem[]): boolean {
  const first = items.find(({ type }) => type === 'message' || type === 'opening')?.key;
  const lastFirst = useRef(first);
  useEffect(() => {
    lastFirst.current = first;
  }, [first]);
  return lastFirst.current !== undefined && first !== undefined && lastFirst.current !== first;
}

const isMessage = (item: ThreadItem, clientId: string) =>
  item.type === 'message' && item.row.clientId === clientId;
