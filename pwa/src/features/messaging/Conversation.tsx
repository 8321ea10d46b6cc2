import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useIsOnline, useIsTyping, useLastSeen } from '@/live/presence.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useFailure } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { fetchDelta, findConversation } from '@/offline/sync/sync.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, ButtonLink, EmptyState, Skeleton, usePageHeading } from '@/ui';
import { BackToList } from './BackToList.tsx';
import { Composer } from './Composer.tsx';
import { ConnectionBadge, ConnectionBanner } from './ConnectionStatus.tsx';
import { heldConversation } from './held.ts';
import { NewRequest } from './NewRequest.tsx';
import { useConversation } from './queries.ts';
import { RequestBar } from './RequestBar.tsx';
import { Thread } from './Thread.tsx';
import { ThreadWaiting } from './threadParts.tsx';
import { useRefusedChanges } from './useMessageActions.ts';
import { lastSeenInWords } from './words.ts';

/** Finds what a member, match or conversation id names; undefined while looking, null when nothing. */
export function useConversationId(anyId: string | undefined) {
  const query = useQuery({
    queryKey: ['conversation-id', anyId ?? ''],
    queryFn: () => findConversation(getDb(), anyId ?? ''),
    // What the list shows opens without a look at the device.
    initialData: () => heldConversation(anyId)?.id,
    enabled: anyId !== undefined,
    // Asked anew each time it is opened: whoever was no match then may be one now.
    gcTime: 0,
    networkMode: 'always',
  });
  return { id: query.data, isError: useFailure(query) !== null, refetch: query.refetch };
}

type Found = ReturnType<typeof useConversationId>;

export function Conversation({ anyId, found }: { anyId: string; found: Found }) {
  // Whoever is not written to yet can be asked; without a network that is said, where the member is known.
  if (found.isError || found.id === null) {
    return (
      <NewRequest
        isError={found.isError}
        notHere={<NotHere />}
        onRetry={found.refetch}
        userId={anyId}
        waiting={<Waiting />}
      />
    );
  }
  if (found.id === undefined) return <Waiting />;
  return <Known id={found.id} key={found.id} />;
}

function Known({ id }: { id: string }) {
  const conversation = useConversation(id);
  if (conversation === undefined) return <Waiting />;
  if (conversation === null) return <NotHere />;
  return <Open conversation={conversation} />;
}

function Open({ conversation }: { conversation: ConversationRow }) {
  const { id, request } = conversation;
  const [sentCount, setSentCount] = useState(0);
  const [replyTo, setReplyTo] = useState<number | null>(null);
  const reply = useCallback((row: MessageRow) => setReplyTo(row.seq), []);
  const at = useAt();
  useRefusedChanges();
  useEffect(() => {
    // What arrives later comes by the socket; without a network the device's messages are shown.
    void fetchDelta(getDb(), id).catch(() => undefined);
  }, [id]);
  return (
    <>
      <Header conversation={conversation} />
      <ConnectionBanner />
      <Thread at={at} conversation={conversation} onReply={reply} sentCount={sentCount} />
      {request === 'none' ? (
        <Composer
          conversation={conversation}
          onSent={() => setSentCount((count) => count + 1)}
          replyTo={replyTo}
          setReplyTo={setReplyTo}
        />
      ) : (
        <RequestBar conversation={conversation} />
      )}
    </>
  );
}

/** The message that a search led to; `key` changes each time it is chosen anew. */
function useAt() {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const seq = Number(search.get('at'));
  return useMemo(() => (Number.isInteger(seq) && seq > 0 ? { seq, key } : null), [seq, key]);
}

function Header({ conversation }: { conversation: ConversationRow }) {
  const { user, userId } = conversation;
  const online = useIsOnline(userId, conversation.isOnline);
  const typing = useIsTyping(userId);
  const about = usePresence(conversation, online);
  const heading = usePageHeading<HTMLHeadingElement>();
  useEffect(() => {
    document.title = `${user.firstName} · Heartward`;
    return () => {
      document.title = 'Messages · Heartward';
    };
  }, [user.firstName]);
  return (
    <header className="@container flex min-h-16 items-center gap-2 border-line border-b bg-surface px-2 pt-safe md:px-4">
      <BackToList />
      <h2 aria-label={user.firstName} className="flex min-w-0 flex-auto" ref={heading} tabIndex={-1}>
        <Link
          className="flex min-h-11 min-w-0 flex-auto items-center gap-3 rounded-control px-1 hover:bg-raised"
          to={paths.member(userId)}
          viewTransition
        >
          {/* With letters twice as large there is room for one of the two, and the name says more. */}
          <Avatar className="@max-[16rem]:hidden" online={online} size="sm" user={user} />
          <span className="min-w-0">
            <span className="block truncate font-semibold leading-5">{user.firstName}</span>
            <span className="block truncate text-muted text-xs">{typing ? 'typing...' : about}</span>
          </span>
          <span className="sr-only">View profile</span>
        </Link>
      </h2>
      <ConnectionBadge />
      <MemberMenu className="-mr-1" member={user} place="conversation" />
    </header>
  );
}

/** "Online", "Last seen 2 hours ago", or where they live when that is not told. */
function usePresence({ userId, lastSeenAt, request, user }: ConversationRow, online: boolean): string {
  const lastSeen = useLastSeen(userId, lastSeenAt);
  if (request !== 'none') return user.city;
  if (online) return 'Online';
  return lastSeen ? lastSeenInWords(lastSeen) : user.city;
}

function NotHere() {
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        action={<ButtonLink to={paths.messages}>All messages</ButtonLink>}
        art="letters"
        text="It may have ended, or the link may be wrong. All your conversations are under Messages."
        title="This conversation isn't here"
      />
    </div>
  );
}

function Waiting() {
  return (
    <>
      <div className="flex min-h-16 items-center border-line border-b bg-surface px-2 pt-safe md:px-4">
        <BackToList />
        <div className="flex items-center gap-3 px-3 md:px-1">
          <Skeleton className="size-9 rounded-full" />
          <Skeleton className="h-4 w-28" />
        </div>
      </div>
      <div className="flex flex-1 flex-col justify-end p-3">
        <ThreadWaiting />
      </div>
    </>
  );
}
