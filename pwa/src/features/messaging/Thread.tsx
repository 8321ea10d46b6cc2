import {
  type ComponentProps,
  memo,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useDb } from '@/offline/store/cached.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { markRead } from '@/offline/sync/sync.ts';
import { toast } from '@/ui';
import { MessageMenu } from './MessageMenu.tsx';
import type { NewestMessages } from './newestMessages.ts';
import { positionOf } from './scrollPosition.ts';
import { ThreadSkeleton } from './skeletons.tsx';
import { useSlots } from './slots.ts';
import { type ThreadItem, threadItems } from './thread.ts';
import {
  Announcer,
  type EarlierUnread,
  JumpToNewest,
  NoMessages,
  OlderNote,
  ThreadItemView,
  Typing,
} from './threadParts.tsx';
import { useMessageActions } from './useMessageActions.ts';
import { useMountedRows } from './useMountedRows.ts';
import { useThread } from './useThread.ts';
import { useThreadScroll } from './useThreadScroll.ts';
import { useTouchEndRepeat } from './useTouchEndRepeat.ts';

type ThreadProps = {
  conversation: ConversationRow;
  /** The number of messages sent from the composer; a change scrolls to the newest. */
  sentCount: number;
  onReply: (row: MessageRow) => void;
  newest: NewestMessages;
  /** The message to scroll to, from a search result; again for each new `key`. */
  at: { seq: number; key: string } | null;
};

/** The rows of the thread as the items of its list. */
function useItems(conversation: ConversationRow, rows: MessageRow[] | undefined, unreadAfter: number | null) {
  const { memberId } = useDb();
  const { peerReadSeq, peerDeliveredSeq } = conversation;
  const hasOpening = Boolean(useSlots().opening);
  return useMemo(
    () =>
      rows ? threadItems(rows, memberId, { peerReadSeq, peerDeliveredSeq }, unreadAfter, hasOpening) : [],
    [rows, memberId, peerReadSeq, peerDeliveredSeq, unreadAfter, hasOpening],
  );
}

type ItemContext = Pick<ComponentProps<typeof ThreadItemView>, 'actions' | 'conversation' | 'earlier'> & {
  /** The seq of the message that is highlighted. */
  highlighted: number | null;
  rows: MessageRow[] | undefined;
};

/** Returns the function that draws an item. */
function useRenderItem({ actions, conversation, earlier, highlighted, rows }: ItemContext) {
  const bySeq = useMemo(() => new Map(rows?.map((row) => [row.seq, row])), [rows]);
  return useElementCache(
    useCallback(
      (item: ThreadItem) => (
        <ThreadItemView
          actions={actions}
          conversation={conversation}
          item={item}
          key={item.key}
          earlier={earlier}
          highlighted={item.type === 'message' && item.row.seq !== null && item.row.seq === highlighted}
          quoted={item.type === 'message' ? bySeq.get(item.row.replyTo ?? 0) : undefined}
        />
      ),
      [actions, conversation, highlighted, bySeq, earlier],
    ),
  );
}

/** Returns the seq after which messages were unread at opening: marking them as read must not move the divider. */
const unreadAtOpening = ({ unreadCount, request, readSeq }: ConversationRow): number | null =>
  unreadCount > 0 && request === 'none' ? readSeq : null;

export const Thread = memo(function Thread({ conversation, sentCount, onReply, newest, at }: ThreadProps) {
  const db = useDb();
  const { id, user, unreadCount } = conversation;
  const [unreadAfter] = useState(() => unreadAtOpening(conversation));
  const thread = useThread(conversation, unreadAfter, positionOf(db, id)?.seq);
  const box = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { memberId } = db;
  const { rows } = thread;
  const items = useItems(conversation, rows, unreadAfter);
  const scroll = useThreadScroll({
    conversationId: id,
    items,
    box,
    list,
    onTop: () => void thread.loadOlder(),
  });
  const { highlighted, goTo } = useGoTo(items, thread.loadBackTo, scroll.scrollToItem, at);
  const { actions, menu, closeMenu, remove } = useMessageActions({ memberId, reply: onReply, goTo });
  const earlier = useMemo(
    (): EarlierUnread => ({ loading: thread.state === 'loading', load: thread.loadEarlierUnread }),
    [thread.state, thread.loadEarlierUnread],
  );
  const renderItem = useRenderItem({ actions, conversation, earlier, highlighted, rows });
  const { scrollToEnd, atEnd } = scroll;
  useScrollToSent(sentCount, rows, scrollToEnd);
  useMarkRead(conversation, rows, atEnd);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <OlderNote state={thread.state} />
      <MessageList
        box={box}
        conversation={conversation}
        items={items}
        list={list}
        newest={newest}
        renderItem={renderItem}
        rows={rows}
        scroll={scroll}
      />
      {!atEnd && <JumpToNewest count={unreadCount} onClick={scrollToEnd} />}
      <Announcer author={user.firstName} memberId={memberId} rows={rows} />
      {menu && (
        <MessageMenu
          canReply={conversation.request === 'none' && !conversation.isFormer && menu.seq !== null}
          author={user.firstName}
          mine={menu.senderId === memberId}
          onClose={closeMenu}
          onDelete={() => remove(menu)}
          onReact={(emoji) => actions.react(menu, emoji)}
          onReply={() => onReply(menu)}
          row={menu}
        />
      )}
    </div>
  );
});

type MessageListProps = Pick<ThreadProps, 'conversation' | 'newest'> & {
  rows: MessageRow[] | undefined;
  items: ThreadItem[];
  renderItem: (item: ThreadItem) => ReactElement;
  box: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  scroll: ReturnType<typeof useThreadScroll>;
};

/** The box in which the messages scroll. */
function MessageList(props: MessageListProps) {
  const { conversation, newest, rows, items, renderItem, box, list, scroll } = props;
  const { user, userId } = conversation;
  const mountedRows = useMountedRows(box, items);
  const buffer = useBufferSize(rows !== undefined);
  useTouchEndRepeat(box);
  return (
    <section
      aria-label={`Messages with ${user.firstName}`}
      className="min-h-0 flex-1 touch-pan-y touch-pinch-zoom overflow-y-auto overscroll-contain px-3 data-settled:[&>div>ol>li]:visible! [overflow-anchor:none] focus-visible:-outline-offset-2"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
      tabIndex={0}
    >
      <div className="mx-auto flex min-h-full max-w-3xl flex-col justify-end py-3">
        {rows && rows.length === 0 && <NoMessages conversation={conversation} newest={newest} />}
        {!rows && <ThreadSkeleton />}
        <Virtualizer
          as="ol"
          bufferSize={buffer}
          data={items}
          item="li"
          keepMounted={mountedRows}
          onScroll={scroll.onScroll}
          onScrollEnd={scroll.onScrollEnd}
          ref={list}
          scrollRef={box}
          shift={scroll.shift}
          startMargin={12}
        >
          {renderItem}
        </Virtualizer>
        <Typing name={user.firstName} userId={userId} />
      </div>
    </section>
  );
}

const BUFFER_PX = 400;

/** Returns the px that are drawn outside the view: none until the first view is drawn. */
function useBufferSize(loaded: boolean): number {
  const [px, setPx] = useState(0);
  useEffect(() => {
    if (!loaded) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPx(BUFFER_PX));
    });
    return () => cancelAnimationFrame(frame);
  }, [loaded]);
  return px;
}

/** Returns the same element for the same item, so that React skips items that stay in view. */
function useElementCache(renderItem: (item: ThreadItem) => ReactElement): (item: ThreadItem) => ReactElement {
  return useMemo(() => {
    const elements = new WeakMap<ThreadItem, ReactElement>();
    return (item) => {
      const cached = elements.get(item) ?? renderItem(item);
      elements.set(item, cached);
      return cached;
    };
  }, [renderItem]);
}

/** Scrolls to the newest message when the member sends one: by the composer, or a recording or pictures. */
function useScrollToSent(sentCount: number, rows: MessageRow[] | undefined, scrollToEnd: () => void): void {
  useEffect(() => {
    if (sentCount > 0) scrollToEnd();
  }, [sentCount, scrollToEnd]);

  const newest = rows?.at(-1);
  const waiting = newest?.state === 'waiting' ? newest.clientId : null;
  // A message that was already waiting at opening does not scroll the thread.
  const lastWaiting = useRef<string | null | undefined>(undefined);
  const loaded = rows !== undefined;
  useEffect(() => {
    if (!loaded) return;
    if (lastWaiting.current !== undefined && waiting && waiting !== lastWaiting.current) scrollToEnd();
    lastWaiting.current = waiting;
  }, [loaded, waiting, scrollToEnd]);
}

const HIGHLIGHT_MS = 1600;

/**
 * Scrolls to a message, which is fetched if necessary, and highlights it for a time: to that of `at`, and to any other by
 * `goTo`.
 */
function useGoTo(
  items: ReturnType<typeof threadItems>,
  loadBackTo: (seq: number) => Promise<boolean>,
  scrollToItem: (index: number, align: 'center') => void,
  at: ThreadProps['at'],
) {
  // An object, so that a second call for the message scrolls again.
  const [target, setTarget] = useState<{ seq: number } | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);

  useEffect(() => {
    if (target === null) return;
    const index = items.findIndex((item) => item.type === 'message' && item.row.seq === target.seq);
    if (index < 0) return;
    scrollToItem(index, 'center');
    setHighlighted(target.seq);
    setTarget(null);
  }, [items, target, scrollToItem]);

  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(setHighlighted, HIGHLIGHT_MS, null);
    return () => clearTimeout(timer);
  }, [highlighted]);

  const goTo = useCallback(
    (seq: number) => {
      void loadBackTo(seq).then((found) => {
        if (found) setTarget({ seq });
        else
          toast({
            title: 'This message cannot be shown',
            description: 'Please try again when you are online.',
          });
      });
    },
    [loadBackTo],
  );
  useEffect(() => {
    if (at) goTo(at.seq);
  }, [at, goTo]);
  return { highlighted, goTo };
}

/** Marks the conversation as read when the thread is at its end and the tab is visible. */
function useMarkRead(conversation: ConversationRow, rows: MessageRow[] | undefined, atEnd: boolean): void {
  const db = useDb();
  const newest = newestSeq(rows);
  // Runs for every new row object, even an equal one, because a sync may have reverted the mark.
  useEffect(() => {
    const { id, readSeq, unreadCount, request } = conversation;
    // The sender of a request must not learn that it was read.
    if (request !== 'none' || !atEnd || newest === 0 || (newest <= readSeq && unreadCount === 0)) return;
    const mark = () => {
      if (document.visibilityState === 'visible') void markRead(db, id, newest).catch(() => undefined);
    };
    // After the first scroll position is set: before, the thread seems to be at its end.
    const frame = requestAnimationFrame(mark);
    document.addEventListener('visibilitychange', mark);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [conversation, newest, atEnd, db]);
}

/** Returns the newest seq; rows without one, which are not sent yet, come last. */
function newestSeq(rows: MessageRow[] = []): number {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const seq = rows[index]?.seq;
    if (seq) return seq;
  }
  return 0;
}
