import { Archive, ArrowLeft, ChevronRight, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import {
  Avatar,
  ButtonLink,
  CountBadge,
  cn,
  EmptyState,
  ErrorState,
  IconButton,
  Illustration,
  RelativeTime,
  Skeleton,
  useMovedRows,
} from '@/ui';
import { ConversationItem } from './ConversationItem.tsx';
import { ConversationMenu } from './ConversationMenu.tsx';
import { type ListedConversation, useConversations } from './conversations.ts';
import { fold, type Hit, snippet, useMessageSearch } from './search.ts';
import { cacheConversations } from './threadCache.ts';

type Tab = 'chats' | 'requests';

type ListProps = {
  selected: string | null;
  /** Whether the open conversation covers the list. A hidden list is not updated. */
  hidden?: boolean;
};

/** All conversations and requests, with a search by first name and message text. */
export function ConversationList({ selected, hidden = false }: ListProps) {
  const db = useDb();
  const { data, state, error, refresh } = useConversations(hidden);
  const [search, setSearch] = useState('');
  const [selectedTab, setSelectedTab] = useState<Tab | null>(null);
  const [isArchiveOpen, setArchiveOpen] = useState(false);
  const [menu, setMenu] = useState<ListedConversation | null>(null);
  useEffect(() => {
    cacheConversations(db, data ?? []);
    return () => cacheConversations(db, []);
  }, [db, data]);

  if (state === 'loading') return <ListSkeleton />;
  if (state === 'error')
    return (
      <ErrorState onRetry={refresh} text={describeLoadError(error)} title="Failed to fetch conversations" />
    );
  if (state === 'empty') return <NoConversations />;
  const all = data ?? [];
  const requests = all.filter(({ request }) => request !== 'none');
  const received = requests.filter(({ request }) => request === 'received').length;
  const query = search.trim();
  // A deep link to a request selects the Requests tab.
  const tab = selectedTab ?? (requests.some(({ id }) => id === selected) ? 'requests' : 'chats');
  const chats = all.filter(({ request }) => request === 'none');
  const archived = chats.filter((row) => row.archived);
  // An empty archive closes by itself.
  const isArchive = tab === 'chats' && isArchiveOpen && archived.length > 0;
  const rows = tab === 'requests' ? requests : isArchive ? archived : chats.filter((row) => !row.archived);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SearchBox onChange={setSearch} value={search} />
      {!query && !isArchive && <Tabs onChange={setSelectedTab} received={received} value={tab} />}
      {!query && isArchive && <ArchiveHead onClose={() => setArchiveOpen(false)} />}
      {query ? (
        <SearchResults onMenu={setMenu} rows={all} selected={selected} text={query} />
      ) : rows.length > 0 ? (
        <Rows onMenu={setMenu} rows={rows} selected={selected} />
      ) : (
        <NoRows hasArchive={archived.length > 0} tab={tab} />
      )}
      {!query && tab === 'chats' && !isArchive && archived.length > 0 && (
        <ArchiveLink count={archived.length} onOpen={() => setArchiveOpen(true)} />
      )}
      {menu && <ConversationMenu onClose={() => setMenu(null)} row={menu} />}
    </div>
  );
}

type RowsProps = {
  rows: ListedConversation[];
  selected: string | null;
  onMenu: (row: ListedConversation) => void;
};

function Rows({ rows, selected, onMenu }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  useMovedRows(list, rows.map(({ id }) => id).join());
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto pb-2" data-scroll-box="conversations" ref={list}>
      {rows.map((row) => (
        <ConversationItem key={row.id} onMenu={onMenu} row={row} selected={row.id === selected} />
      ))}
    </ul>
  );
}

function ArchiveLink({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <button
      className="flex min-h-12 shrink-0 items-center gap-3 border-line border-t px-5 text-start font-semibold text-muted text-sm hover:text-ink"
      onClick={onOpen}
      type="button"
    >
      <Archive aria-hidden="true" className="size-5" />
      <span className="flex-1">Archived ({count})</span>
      <ChevronRight aria-hidden="true" className="size-5" />
    </button>
  );
}

function ArchiveHead({ onClose }: { onClose: () => void }) {
  return (
    <div className="mx-3 mb-2 flex items-center gap-1">
      <IconButton icon={ArrowLeft} label="Back to your chats" onClick={onClose} />
      <div className="min-w-0">
        <h2 className="font-semibold">Archived</h2>
        <p className="text-muted text-xs">A new message brings a conversation back, unless it is muted.</p>
      </div>
    </div>
  );
}

function NoRows({ tab, hasArchive }: { tab: Tab; hasArchive: boolean }) {
  if (tab === 'requests')
    return (
      <EmptyState
        art="letters"
        text="When someone you have not matched with writes to you, you decide here whether to answer."
        title="No requests"
      />
    );
  if (!hasArchive) return <NoConversations />;
  return (
    <EmptyState art="letters" text="All your conversations are archived." title="Nothing waits for you" />
  );
}

const NoConversations = () => (
  <EmptyState
    action={<ButtonLink to={paths.matches}>See your matches</ButtonLink>}
    art="letters"
    text="When you match with someone, you can write to each other here."
    title="No conversations yet"
  />
);

type TabsProps = { value: Tab; received: number; onChange: (tab: Tab) => void };

function Tabs({ value, received, onChange }: TabsProps) {
  const tab = (name: Tab, label: string) => (
    <button
      aria-pressed={value === name}
      className={cn(
        'flex min-h-11 flex-1 flex-wrap items-center justify-center gap-x-2 rounded-[calc(var(--r-control)-4px)] font-semibold text-sm transition-colors',
        value === name ? 'bg-surface text-ink' : 'text-muted hover:text-ink',
      )}
      onClick={() => onChange(name)}
      type="button"
    >
      {label}
      {name === 'requests' && received > 0 && (
        <>
          <CountBadge count={received} />
          <span className="sr-only">({received} waiting)</span>
        </>
      )}
    </button>
  );
  return (
    <fieldset className="mx-3 mb-2 flex gap-1 rounded-control bg-raised p-1">
      <legend className="sr-only">Which conversations</legend>
      {tab('chats', 'Chats')}
      {tab('requests', 'Requests')}
    </fieldset>
  );
}

type SearchResultsProps = RowsProps & { text: string };

/** Members found by first name, then messages found by text. */
function SearchResults({ text, rows, selected, onMenu }: SearchResultsProps) {
  const { hits, searching } = useMessageSearch(text);
  const wanted = fold(text);
  const people = wanted ? rows.filter(({ user }) => fold(user.firstName).includes(wanted)) : [];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-2">
      {people.length > 0 && (
        <ul aria-label="People">
          {people.map((row) => (
            <ConversationItem key={row.id} onMenu={onMenu} row={row} selected={row.id === selected} />
          ))}
        </ul>
      )}
      {hits.length > 0 && (
        <>
          <h2 className="px-4 pt-3 pb-1 font-semibold text-muted text-xs">Messages</h2>
          <ul aria-label="Messages">
            {hits.map((hit) => (
              <HitItem hit={hit} key={`${hit.conversationId} ${hit.seq}`} text={text} />
            ))}
          </ul>
        </>
      )}
      <div role="status">
        {people.length === 0 && hits.length === 0 && (
          <div className="flex flex-col items-center px-4 py-6 text-center">
            <Illustration className="w-40" name="people" />
            <p className="mt-3 text-muted [overflow-wrap:anywhere]">
              {searching ? 'Searching…' : `No name or message matches “${text}”.`}
            </p>
          </div>
        )}
      </div>
    </div>
  );
}

/** A link to a found message in its conversation. */
function HitItem({ hit, text }: { hit: Hit; text: string }) {
  const [before, found, after] = snippet(hit.content, text);
  return (
    <li>
      <Link
        className="mx-1.5 flex min-h-16 items-center gap-3 rounded-control px-2.5 py-2 transition-colors hover:bg-raised"
        to={paths.message(hit.conversationId, hit.seq)}
      >
        <Avatar size="sm" user={hit.user} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className="truncate font-semibold text-sm" dir="auto">
              {hit.user.firstName}
            </span>
            <RelativeTime className="shrink-0 text-muted text-xs" value={hit.sentAt} />
          </span>
          <span className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]" dir="auto">
            {hit.mine && 'You: '}
            {before}
            <mark className="rounded-sm bg-marigold-soft text-ink">{found}</mark>
            {after}
          </span>
        </span>
      </Link>
    </li>
  );
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="relative m-3">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-3 inset-s-3.5 size-5 text-muted"
      />
      <input
        aria-label="Search by name or message"
        className="h-11 w-full rounded-control border border-control bg-surface pe-11 ps-11 text-base text-ink [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search conversations"
        ref={field}
        type="search"
        value={value}
      />
      {value && (
        <IconButton
          className="absolute top-0 inset-e-0"
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

function ListSkeleton() {
  return (
    <div aria-label="Loading conversations" className="p-3" role="status">
      <Skeleton className="h-11" />
      <Skeleton className="mt-3 mb-2 h-13" />
      {Array.from({ length: 6 }, (_, index) => `row ${index}`).map((key) => (
        <div className="flex min-h-18 items-center gap-3 px-1" key={key}>
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
