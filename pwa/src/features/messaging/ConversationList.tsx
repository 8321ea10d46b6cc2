import { Clock, Search, X } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useIsOnline } from '@/live/presence.ts';
import {
  Art,
  Avatar,
  ButtonLink,
  cn,
  EmptyState,
  ErrorState,
  IconButton,
  RelativeTime,
  Skeleton,
} from '@/ui';
import { type ListedConversation, useConversations } from './queries.ts';
import { Ticks } from './Ticks.tsx';

/** All conversations with a search by first name; `selected` is the one open beside the list. */
export function ConversationList({ selected }: { selected: string | null }) {
  const { data = [], state, refresh } = useConversations();
  const [search, setSearch] = useState('');

  if (state === 'loading') return <Waiting />;
  if (state === 'error') return <ErrorState onRetry={refresh} title="Failed to fetch conversations" />;
  if (state === 'empty') {
    return (
      <EmptyState
        action={<ButtonLink to="/matches">See your matches</ButtonLink>}
        art="letters"
        text="When you match with someone, you can write to each other here."
        title="No conversations yet"
      />
    );
  }
  const wanted = search.trim().toLocaleLowerCase();
  const found = data.filter((row) => row.user.firstName.toLocaleLowerCase().includes(wanted));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SearchBox onChange={setSearch} value={search} />
      {found.length > 0 && (
        <ul className="min-h-0 flex-1 overflow-y-auto pb-2">
          {found.map((row) => (
            <Row key={row.id} row={row} selected={row.id === selected} />
          ))}
        </ul>
      )}
      <div role="status">
        {found.length === 0 && (
          <div className="flex flex-col items-center px-4 py-6 text-center">
            <Art className="w-40" name="people" />
            <p className="mt-3 text-muted">Nobody here is called “{search.trim()}”.</p>
          </div>
        )}
      </div>
    </div>
  );
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="relative m-3">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-3 left-3.5 size-5 text-muted"
        strokeWidth={1.75}
      />
      <input
        aria-label="Search conversations by first name"
        className="h-11 w-full rounded-control border border-control bg-surface pr-11 pl-11 text-base text-ink [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search conversations"
        ref={field}
        type="search"
        value={value}
      />
      {value && (
        <IconButton
          className="absolute top-0 right-0"
          icon={X}
          label="Clear search"
          onClick={() => {
            onChange('');
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

const Row = memo(function Row({ row, selected }: { row: ListedConversation; selected: boolean }) {
  const online = useIsOnline(row.userId, row.isOnline);
  const unread = row.unreadCount > 0;
  return (
    <li>
      <Link
        aria-current={selected ? 'page' : undefined}
        className={cn(
          'mx-1.5 flex min-h-18 items-center gap-3 rounded-control px-2.5 py-2.5 transition-colors',
          selected ? 'bg-ember-soft' : 'hover:bg-raised',
        )}
        to={`/messages/${row.id}`}
      >
        <Avatar online={online} user={row.user} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className={cn('truncate', unread ? 'font-bold' : 'font-semibold')}>
              {row.user.firstName}
            </span>
            {row.preview && <RelativeTime className="shrink-0 text-muted text-xs" value={row.preview.at} />}
          </span>
          <span className="flex items-center gap-2">
            <Preview row={row} unread={unread} />
            {unread && (
              <span className="size-2.5 shrink-0 rounded-full bg-ember">
                <span className="sr-only">
                  {row.unreadCount} unread {row.unreadCount === 1 ? 'message' : 'messages'}
                </span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
});

function Preview({ row, unread }: { row: ListedConversation; unread: boolean }) {
  const { preview } = row;
  if (!preview) return <span className="truncate text-muted text-sm">Say hello to {row.user.firstName}</span>;
  const read = preview.mine && !preview.waiting && row.lastSeq <= row.peerReadSeq;
  return (
    <span
      className={cn(
        'flex min-w-0 flex-1 items-center gap-1 text-sm',
        unread ? 'font-semibold text-ink' : 'text-muted',
      )}
    >
      {preview.waiting && (
        <>
          <Clock aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={1.75} />
          <span className="sr-only">Waiting to be sent. </span>
        </>
      )}
      {read && <Ticks tick="read" />}
      <span className="truncate">
        {preview.mine && 'You: '}
        {preview.content}
      </span>
    </span>
  );
}

function Waiting() {
  return (
    <div aria-label="Loading conversations" className="p-3" role="status">
      <Skeleton className="h-11" />
      {Array.from({ length: 6 }, (_, index) => `row ${index}`).map((key) => (
        <div className="flex items-center gap-3 px-1 py-3" key={key}>
          <Skeleton className="size-12 rounded-full" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
