import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { MemberMenu } from '@/app/MemberMenu.tsx';
import { useIsOnline, useIsTyping } from '@/live/presence.ts';
import { getDb } from '@/offline/db.ts';
import type { ConversationRow } from '@/offline/rows.ts';
import { fetchDelta, findConversation } from '@/offline/sync.ts';
import { Avatar, ButtonLink, EmptyState, ErrorState } from '@/ui';
import { Composer } from './Composer.tsx';
import { ConnectionBadge, ConnectionBanner } from './ConnectionStatus.tsx';
import { useConversation } from './queries.ts';
import { Thread, ThreadWaiting } from './Thread.tsx';

/** Finds what a member, match or conversation id names; undefined while looking, null when nothing. */
export function useConversationId(anyId: string | undefined) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['conversation-id', anyId ?? ''],
    queryFn: () => findConversation(getDb(), anyId ?? ''),
    enabled: anyId !== undefined,
    // Asked anew each time it is opened: whoever was no match then may be one now.
    gcTime: 0,
    networkMode: 'always',
  });
  return { id: data, isError, refetch };
}

type Found = ReturnType<typeof useConversationId>;

export function Conversation({ found }: { found: Found }) {
  if (found.isError)
    return <ErrorState onRetry={() => void found.refetch()} title="Failed to fetch messages" />;
  if (found.id === null) return <NotHere />;
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
  const { id } = conversation;
  const [sentCount, setSentCount] = useState(0);
  useEffect(() => {
    // What arrives later comes by the socket; without a network the device's messages are shown.
    void fetchDelta(getDb(), id).catch(() => undefined);
  }, [id]);
  return (
    <>
      <Header conversation={conversation} />
      <ConnectionBanner />
      <Thread conversation={conversation} sentCount={sentCount} />
      <Composer conversation={conversation} onSent={() => setSentCount((count) => count + 1)} />
    </>
  );
}

function Header({ conversation }: { conversation: ConversationRow }) {
  const { user, userId } = conversation;
  const online = useIsOnline(userId, conversation.isOnline);
  const typing = useIsTyping(userId);
  return (
    <header className="flex min-h-16 items-center gap-2 border-line border-b bg-surface px-2 pt-safe md:px-4">
      <BackToList />
      <Link
        className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control px-1 hover:bg-raised"
        to={`/profile/${userId}`}
        viewTransition
      >
        <Avatar online={online} size="sm" user={user} />
        <span className="min-w-0">
          <span className="block truncate font-semibold leading-5">{user.firstName}</span>
          <span className="block truncate text-muted text-xs">
            {typing ? 'typing...' : online ? 'Online' : user.city}
          </span>
        </span>
        <span className="sr-only">View profile</span>
      </Link>
      <ConnectionBadge />
      <MemberMenu className="-mr-1" member={user} place="conversation" />
    </header>
  );
}

const BackToList = () => (
  <Link
    aria-label="Back to messages"
    className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-raised md:hidden"
    to="/messages"
  >
    <ArrowLeft aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
  </Link>
);

function NotHere() {
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        action={<ButtonLink to="/messages">All messages</ButtonLink>}
        art="letters"
        text="You can write to someone once you have matched."
        title="This conversation isn't here"
      />
    </div>
  );
}

function Waiting() {
  return (
    <>
      <div className="flex min-h-16 items-center border-line border-b px-2 pt-safe">
        <BackToList />
      </div>
      <ol className="flex flex-1 flex-col justify-end p-3">
        <ThreadWaiting />
      </ol>
    </>
  );
}
