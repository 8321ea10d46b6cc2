/** The components of a thread around its bubbles. */

import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { countText, formatDay } from '@/base/format.ts';
import { useDay } from '@/base/now.ts';
import { useIsTyping } from '@/live/presence.ts';
import { useOnline } from '@/offline/device/online.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, cn, ErrorState } from '@/ui';
import { Bubble, type MessageActions } from './Bubble.tsx';
import { describeRow } from './describeMessage.ts';
import type { NewestMessages } from './newestMessages.ts';
import { ThreadSkeleton } from './skeletons.tsx';
import { useSlots } from './slots.ts';
import type { ThreadItem } from './thread.ts';

type ThreadItemProps = {
  item: ThreadItem;
  conversation: ConversationRow;
  quoted: MessageRow | undefined;
  highlighted: boolean;
  actions: MessageActions;
  earlier: EarlierUnread;
};

export function ThreadItemView({ item, conversation, earlier, ...rest }: ThreadItemProps) {
  const { opening } = useSlots();
  if (item.type === 'opening') return opening;
  if (item.type === 'day') return <DayLine day={item.day} />;
  if (item.type === 'unread') {
    return (
      <>
        {item.earlier > 0 && <EarlierUnreadNote count={item.earlier} {...earlier} />}
        <p
          className="flex items-center gap-3 pt-3 font-semibold text-ember-strong text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
          data-unread
        >
          New messages
        </p>
      </>
    );
  }
  const { key: _, type: _type, ...bubbleProps } = item;
  return (
    <Bubble author={conversation.user.firstName} conversation={conversation} {...bubbleProps} {...rest} />
  );
}

function DayLine({ day }: { day: string }) {
  useDay(); // "Today" becomes "Yesterday" at midnight
  return <p className="pt-4 pb-1 text-center font-medium text-muted text-xs">{formatDay(day)}</p>;
}

/** Loads unread messages from before the first that is on the device. */
export type EarlierUnread = { loading: boolean; load: () => Promise<void> };

/** The number of unread messages not on the device. They are loaded by a tap, and automatically when online again. */
function EarlierUnreadNote({ count, loading, load }: EarlierUnread & { count: number }) {
  const online = useOnline();
  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current) void load();
    wasOnline.current = online;
  }, [online, load]);
  const what = countText(count, 'earlier new message');
  return (
    <p className="pt-3 text-center text-muted text-sm">
      {online ? (
        <Button disabled={loading} onClick={() => void load()} size="sm" variant="ghost">
          {what}
        </Button>
      ) : (
        `${what} will come when you're online.`
      )}
    </p>
  );
}

export function JumpToNewest({ count, onClick }: { count: number; onClick: () => void }) {
  const label = count > 0 ? `${countText(count, 'new message')}, jump to the newest` : 'Jump to the newest';
  return (
    <button
      aria-label={label}
      className="absolute inset-e-4 bottom-3 flex h-11 min-w-11 items-center justify-center gap-1 rounded-full border border-line bg-surface px-2.5 font-semibold text-ink text-sm shadow-float hover:bg-raised"
      onClick={onClick}
      type="button"
    >
      {count > 0 && <span className="text-ember-strong tabular-nums">{count}</span>}
      <ArrowDown aria-hidden="true" className="size-5" />
    </button>
  );
}

export function Typing({ userId, name }: { userId: string; name: string }) {
  return <TypingDots isTyping={useIsTyping(userId)} name={name} />;
}

export function TypingDots({ isTyping, name }: { isTyping: boolean; name: string }) {
  return (
    <div aria-live="polite" className="min-h-0">
      {isTyping && (
        <span className="mt-3 inline-flex items-center gap-1 rounded-card rounded-es-[6px] border border-line bg-surface px-4 py-3.5">
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
    </div>
  );
}

type AnnouncerProps = { rows: MessageRow[] | undefined; memberId: string; author: string };

/** Announces new messages of the other member to screen readers, but no older ones. */
export function Announcer({ rows, memberId, author }: AnnouncerProps) {
  const seen = useRef<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (!rows) return;
    const newest = rows.findLast((row) => row.senderId !== memberId);
    const seq = newest?.seq ?? 0;
    if (newest && seen.current !== null && seq > seen.current)
      setAnnouncement(`${author}: ${describeRow(newest)}`);
    seen.current = Math.max(seen.current ?? 0, seq);
  }, [rows, memberId, author]);
  return (
    <p aria-live="polite" className="sr-only">
      {announcement}
    </p>
  );
}

type NoMessagesProps = { conversation: ConversationRow; newest: NewestMessages };

/** Stands for the messages while none of them is on the device. */
export function NoMessages({ conversation, newest }: NoMessagesProps) {
  const online = useOnline();
  if (conversation.lastSeq === 0) return <EmptyThread conversation={conversation} />;
  if (online && newest.error !== null) {
    return (
      <ErrorState
        onRetry={newest.retry}
        text={describeLoadError(newest.error)}
        title="The messages could not be loaded"
      />
    );
  }
  if (online) return <ThreadSkeleton />;
  return (
    <p className="m-auto py-10 text-balance text-center text-muted">
      The messages will load when you're online.
    </p>
  );
}

function EmptyThread({ conversation }: { conversation: ConversationRow }) {
  const { user, matchId } = conversation;
  const { suggestion } = useSlots();
  return (
    <div className="flex flex-1 flex-col items-center justify-center py-10 text-center">
      <Avatar size="xl" user={user} />
      <p className="mt-4 font-display font-semibold text-xl">
        {matchId ? (
          <>
            You and <bdi>{user.firstName}</bdi> matched
          </>
        ) : (
          <bdi>{user.firstName}</bdi>
        )}
      </p>
      <p className="mt-1 text-balance text-muted">Say hello. Something from their profile is a good start.</p>
      {suggestion?.(conversation)}
      <ButtonLink className="mt-4" size="sm" to={paths.member(conversation.userId)} variant="secondary">
        See {user.firstName}'s profile
      </ButtonLink>
    </div>
  );
}

/** Positioned above the thread, so that it shifts no content. */
export function OlderNote({ state }: { state: 'idle' | 'loading' | 'failed' }) {
  return (
    <p
      className={cn(
        'pointer-events-none absolute inset-x-0 top-2 z-1 mx-auto w-fit rounded-full border border-line bg-surface px-3 py-1 text-muted text-sm shadow-float',
        state === 'idle' && 'hidden',
      )}
      role="status"
    >
      {state === 'loading' && 'Loading older messages…'}
      {state === 'failed' && "Older messages will load when you're online."}
    </p>
  );
}
