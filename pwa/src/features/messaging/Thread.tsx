import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useIsTyping } from '@/live/presence.ts';
import { getDb } from '@/offline/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/rows.ts';
import { fetchOlder, markRead } from '@/offline/sync.ts';
import { Avatar, formatDate, Skeleton } from '@/ui';
import { Bubble } from './Bubble.tsx';
import { useThread } from './queries.ts';
import { type ThreadItem, threadItems } from './thread.ts';
import { useScroll } from './useScroll.ts';

/** How many bubbles are drawn at first, and how many more on reaching the top. */
const WINDOW = 60;

type ThreadProps = {
  conversation: ConversationRow;
  /** Changes when the member sent something: back to the newest. */
  sentCount: number;
};

export function Thread({ conversation, sentCount }: ThreadProps) {
  const { id, user, peerReadSeq, peerDeliveredSeq, unreadCount } = conversation;
  // What was unread when it was opened; marking as read must not move the divider.
  const [unreadAfter] = useState(unreadCount > 0 ? conversation.readSeq : null);
  const [limit, setLimit] = useState(Math.max(WINDOW, unreadCount + 20));
  const thread = useThread(id, limit);
  const box = useRef<HTMLElement>(null);
  const older = useOlder(conversation, thread, setLimit);
  const { memberId } = getDb();
  const rows = thread?.rows;
  const items = useMemo(
    () => threadItems(rows ?? [], memberId, { peerReadSeq, peerDeliveredSeq }, unreadAfter),
    [rows, memberId, peerReadSeq, peerDeliveredSeq, unreadAfter],
  );
  const firstKey = items[0] && rows?.[0]?.clientId;
  const lastKey = rows?.[rows.length - 1]?.clientId;
  const { atEnd, toEnd, onScroll } = useScroll(box, { firstKey, lastKey, onTop: older.load });
  useEffect(() => {
    if (sentCount > 0) toEnd();
  }, [sentCount, toEnd]);
  useReadMark(conversation, rows, atEnd);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        aria-label={`Messages with ${user.firstName}`}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 [overflow-anchor:none] focus-visible:-outline-offset-2"
        onScroll={onScroll}
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
        tabIndex={0}
      >
        <ol className="mx-auto flex min-h-full max-w-3xl flex-col justify-end py-3">
          {older.state === 'loading' && <OlderWaiting />}
          {older.state === 'failed' && (
            <li className="py-3 text-center text-muted text-sm">
              Older messages will load when you're online.
            </li>
          )}
          {rows && rows.length === 0 && <Hello name={user.firstName} user={user} />}
          {!rows && <ThreadWaiting />}
          {items.map((item) => (
            <Item conversation={conversation} item={item} key={item.key} />
          ))}
          <Typing name={user.firstName} userId={conversation.userId} />
        </ol>
      </section>
      {!atEnd && <JumpToNewest count={unreadCount} onClick={toEnd} />}
      <Announcer author={user.firstName} memberId={memberId} rows={rows} />
    </div>
  );
}

function Item({ item, conversation }: { item: ThreadItem; conversation: ConversationRow }) {
  if (item.type === 'day') {
    return <li className="pt-4 pb-1 text-center font-medium text-muted text-xs">{formatDate(item.day)}</li>;
  }
  if (item.type === 'unread') {
    return (
      <li
        className="mt-3 flex items-center gap-3 font-semibold text-ember-strong text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
        data-unread
      >
        New messages
      </li>
    );
  }
  const { row, mine, first, last, tick } = item;
  return (
    <Bubble
      author={conversation.user.firstName}
      conversation={conversation}
      first={first}
      last={last}
      mine={mine}
      row={row}
      tick={tick}
    />
  );
}

type Loaded = { rows: MessageRow[]; more: boolean; firstSeq: number } | undefined;

/** Older messages: first those on the device, then the server's. */
function useOlder(
  conversation: ConversationRow,
  thread: Loaded,
  setLimit: (next: (now: number) => number) => void,
) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const busy = useRef(false);
  const more = thread?.more ?? false;
  const firstSeq = thread?.firstSeq ?? 0;
  const load = useCallback(async () => {
    if (busy.current || (!more && firstSeq <= 1)) return;
    busy.current = true;
    try {
      if (!more) {
        setState('loading');
        await fetchOlder(getDb(), conversation.id);
      }
      setLimit((now) => now + WINDOW);
      setState('idle');
    } catch {
      setState('failed');
    } finally {
      busy.current = false;
    }
  }, [conversation.id, more, firstSeq, setLimit]);
  return { state, load };
}

/** Read is what was on the screen: the newest is drawn, and somebody looks. */
function useReadMark(conversation: ConversationRow, rows: MessageRow[] | undefined, atEnd: boolean): void {
  const { id, readSeq, unreadCount } = conversation;
  const newest = rows?.reduce((seq, row) => Math.max(seq, row.seq ?? 0), 0) ?? 0;
  useEffect(() => {
    if (!atEnd || newest === 0 || (newest <= readSeq && unreadCount === 0)) return;
    const mark = () => {
      if (document.visibilityState === 'visible') void markRead(getDb(), id, newest).catch(() => undefined);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [id, newest, readSeq, unreadCount, atEnd]);
}

function JumpToNewest({ count, onClick }: { count: number; onClick: () => void }) {
  const label =
    count > 0
      ? `${count} new ${count === 1 ? 'message' : 'messages'}, jump to the newest`
      : 'Jump to the newest';
  return (
    <button
      aria-label={label}
      className="absolute right-4 bottom-3 flex h-11 min-w-11 items-center justify-center gap-1 rounded-full border border-line bg-surface px-2.5 font-semibold text-ink text-sm shadow-float hover:bg-raised"
      onClick={onClick}
      type="button"
    >
      {count > 0 && <span className="text-ember-strong tabular-nums">{count}</span>}
      <ArrowDown aria-hidden="true" className="size-5" strokeWidth={1.75} />
    </button>
  );
}

function Typing({ userId, name }: { userId: string; name: string }) {
  const typing = useIsTyping(userId);
  return (
    <li aria-live="polite" className="min-h-0">
      {typing && (
        <span className="mt-3 inline-flex items-center gap-1 rounded-card rounded-bl-[6px] border border-line bg-surface px-4 py-3.5">
          <span className="sr-only">{name} is typing</span>
          {['', '[animation-delay:200ms]', '[animation-delay:400ms]'].map((delay) => (
            <span
              aria-hidden="true"
              className={`size-2 animate-skeleton rounded-full bg-muted ${delay}`}
              key={delay}
            />
          ))}
        </span>
      )}
    </li>
  );
}

/** Says new messages of the other member aloud; not those that were there, nor older ones. */
function Announcer({
  rows,
  memberId,
  author,
}: {
  rows: MessageRow[] | undefined;
  memberId: string;
  author: string;
}) {
  const seen = useRef<number | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!rows) return;
    const theirs = rows.filter((row) => row.senderId !== memberId);
    const newest = theirs[theirs.length - 1];
    const seq = newest?.seq ?? 0;
    if (newest && seen.current !== null && seq > seen.current) setSaid(`${author}: ${newest.content}`);
    seen.current = Math.max(seen.current ?? 0, seq);
  }, [rows, memberId, author]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

function Hello({ name, user }: { name: string; user: ConversationRow['user'] }) {
  return (
    <li className="flex flex-1 flex-col items-center justify-center py-10 text-center">
      <Avatar size="xl" user={user} />
      <p className="mt-4 font-display font-semibold text-xl">You and {name} matched</p>
      <p className="mt-1 text-balance text-muted">Say hello. Something from their profile is a good start.</p>
    </li>
  );
}

const OlderWaiting = () => (
  <li aria-label="Loading older messages" className="space-y-2 py-2">
    <Skeleton className="h-10 w-1/2 rounded-card" />
    <Skeleton className="ml-auto h-10 w-2/5 rounded-card" />
  </li>
);

export const ThreadWaiting = () => (
  <li aria-label="Loading messages" className="space-y-3 py-3">
    <Skeleton className="h-10 w-3/5 rounded-card" />
    <Skeleton className="ml-auto h-16 w-1/2 rounded-card" />
    <Skeleton className="h-10 w-2/5 rounded-card" />
    <Skeleton className="ml-auto h-10 w-3/5 rounded-card" />
  </li>
);
