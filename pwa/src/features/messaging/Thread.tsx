import { memo, type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { markRead } from '@/offline/sync/sync.ts';
import { toast } from '@/ui';
import { MessageMenu } from './MessageMenu.tsx';
import { placeOf } from './place.ts';
import { type ThreadItem, threadItems } from './thread.ts';
import {
  Announcer,
  type Earlier,
  Hello,
  JumpToNewest,
  OlderNote,
  ThreadItemView,
  ThreadWaiting,
  Typing,
} from './threadParts.tsx';
import { useKeptRows } from './useKeptRows.ts';
import { useMessageActions } from './useMessageActions.ts';
import { useThread } from './useThread.ts';
import { useThreadScroll } from './useThreadScroll.ts';
import { useTouchEnds } from './useTouchEnds.ts';

type ThreadProps = {
  conversation: ConversationRow;
  /** Changes when the member sent something: back to the newest. */
  sentCount: number;
  onReply: (row: MessageRow) => void;
  /** A message to begin at, from a search: its number, and anew with each `key`. */
  at: { seq: number; key: string } | null;
};

export const Thread = memo(function Thread({ conversation, sentCount, onReply, at }: ThreadProps) {
  const { id, user, peerReadSeq, peerDeliveredSeq, unreadCount } = conversation;
  // What was unread when it was opened; marking as read must not move the divider.
  const [unreadAfter] = useState(
    unreadCount > 0 && conversation.request === 'none' ? conversation.readSeq : null,
  );
  const thread = useThread(conversation, unreadAfter, placeOf(id)?.seq);
  const box = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { memberId } = getDb();
  const { rows } = thread;
  const items = useMemo(
    () => threadItems(rows ?? [], memberId, { peerReadSeq, peerDeliveredSeq }, unreadAfter),
    [rows, memberId, peerReadSeq, peerDeliveredSeq, unreadAfter],
  );
  const bySeq = useMemo(() => new Map(rows?.map((row) => [row.seq, row])), [rows]);
  const scroll = useThreadScroll({ conversationId: id, items, box, list, onTop: () => void thread.older() });
  const { lit, goTo } = useGoTo(items, thread.reach, scroll.toItem);
  const { actions, menu, closeMenu, remove } = useMessageActions({ memberId, reply: onReply, goTo });
  const earlier = useMemo(
    (): Earlier => ({ loading: thread.state === 'loading', load: thread.earlier }),
    [thread.state, thread.earlier],
  );
  const draw = useDrawn(
    useCallback(
      (item: ThreadItem) => (
        <ThreadItemView
          actions={actions}
          conversation={conversation}
          item={item}
          key={item.key}
          earlier={earlier}
          lit={item.type === 'message' && item.row.seq !== null && item.row.seq === lit}
          quoted={item.type === 'message' ? bySeq.get(item.row.replyTo ?? 0) : undefined}
        />
      ),
      [actions, conversation, lit, bySeq, earlier],
    ),
  );
  const kept = useKeptRows(box, items);
  useTouchEnds(box);
  const buffer = useBuffer(rows !== undefined);
  const { toEnd, atEnd } = scroll;
  useEffect(() => {
    if (sentCount > 0) toEnd();
  }, [sentCount, toEnd]);
  useOwnNewest(rows, toEnd);
  useEffect(() => {
    if (at) goTo(at.seq);
  }, [at, goTo]);
  useReadMark(conversation, rows, atEnd);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <OlderNote state={thread.state} />
      <section
        aria-label={`Messages with ${user.firstName}`}
        className="min-h-0 flex-1 touch-pan-y touch-pinch-zoom overflow-y-auto overscroll-contain px-3 data-settled:[&>div>ol>li]:visible! [overflow-anchor:none] focus-visible:-outline-offset-2"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
        tabIndex={0}
      >
        <div className="mx-auto flex min-h-full max-w-3xl flex-col justify-end py-3">
          {rows && rows.length === 0 && <Hello conversation={conversation} />}
          {!rows && <ThreadWaiting />}
          <Virtualizer
            as="ol"
            bufferSize={buffer}
            data={items}
            item="li"
            keepMounted={kept}
            onScroll={scroll.onScroll}
            onScrollEnd={scroll.onScrollEnd}
            ref={list}
            scrollRef={box}
            shift={scroll.shift}
            startMargin={12}
          >
            {draw}
          </Virtualizer>
          <Typing name={user.firstName} userId={conversation.userId} />
        </div>
      </section>
      {!atEnd && <JumpToNewest count={unreadCount} onClick={toEnd} />}
      <Announcer author={user.firstName} memberId={memberId} rows={rows} />
      {menu && (
        <MessageMenu
          answerable={conversation.request === 'none' && menu.seq !== null}
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

const BUFFER_PX = 400;

/** What lies out of sight is drawn beforehand, but not before what is in sight when the thread opens. */
function useBuffer(loaded: boolean): number {
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

/** The same element for the same item: whatever stays in sight while it scrolls is not even compared. */
function useDrawn(draw: (item: ThreadItem) => ReactElement): (item: ThreadItem) => ReactElement {
  return useMemo(() => {
    const drawn = new WeakMap<ThreadItem, ReactElement>();
    return (item) => {
      const known = drawn.get(item) ?? draw(item);
      drawn.set(item, known);
      return known;
    };
  }, [draw]);
}

/** Whatever else the member sends, a recording or pictures, leads back to the newest as well. */
function useOwnNewest(rows: MessageRow[] | undefined, toEnd: () => void): void {
  const newest = rows?.at(-1);
  const waiting = newest?.state === 'waiting' ? newest.clientId : null;
  // What waited already when the conversation was opened does not move the reader.
  const known = useRef<string | null | undefined>(undefined);
  const loaded = rows !== undefined;
  useEffect(() => {
    if (!loaded) return;
    if (known.current !== undefined && waiting && waiting !== known.current) toEnd();
    known.current = waiting;
  }, [loaded, waiting, toEnd]);
}

const LIT_MS = 1600;

/** Brings a message into sight, fetching it where the device has it not, and marks it for a moment. */
function useGoTo(
  items: ReturnType<typeof threadItems>,
  reach: (seq: number) => Promise<boolean>,
  toItem: (index: number, align: 'center') => void,
) {
  const [target, setTarget] = useState<number | null>(null);
  const [lit, setLit] = useState<number | null>(null);

  useEffect(() => {
    if (target === null) return;
    const index = items.findIndex((item) => item.type === 'message' && item.row.seq === target);
    if (index < 0) return;
    toItem(index, 'center');
    setLit(target);
    setTarget(null);
  }, [items, target, toItem]);

  useEffect(() => {
    if (lit === null) return;
    const timer = setTimeout(setLit, LIT_MS, null);
    return () => clearTimeout(timer);
  }, [lit]);

  const goTo = useCallback(
    (seq: number) => {
      void reach(seq).then((found) => {
        if (found) setTarget(seq);
        else
          toast({
            title: 'This message cannot be shown',
            description: 'Please try again when you are online.',
          });
      });
    },
    [reach],
  );
  return { lit, goTo };
}

/** Read is what was on the screen: the newest is drawn, and somebody looks. */
function useReadMark(conversation: ConversationRow, rows: MessageRow[] | undefined, atEnd: boolean): void {
  const newest = newestSeq(rows);
  // On every new state of the row, also one that reads as the last: a sync in between may have taken the mark back.
  useEffect(() => {
    const { id, readSeq, unreadCount, request } = conversation;
    // Whoever wrote a request hears nothing of it being read.
    if (request !== 'none' || !atEnd || newest === 0 || (newest <= readSeq && unreadCount === 0)) return;
    const mark = () => {
      if (document.visibilityState === 'visible') void markRead(getDb(), id, newest).catch(() => undefined);
    };
    // Not before the thread has found its place: until then it seems to be at the end.
    const frame = requestAnimationFrame(mark);
    document.addEventListener('visibilitychange', mark);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [conversation, newest, atEnd]);
}

/** Numbered ones come before those that still wait. */
function newestSeq(rows: MessageRow[] = []): number {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const seq = rows[index]?.seq;
    if (seq) return seq;
  }
  return 0;
}
