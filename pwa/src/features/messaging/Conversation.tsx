import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useMinute } from '@/base/now.ts';
import { useIsEnding } from '@/domain/unmatch.ts';
import { useIsOnline, useIsTyping, useLastSeen } from '@/live/presence.ts';
import { EndingMatch } from '@/member-menu/EndingMatch.tsx';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useOnline } from '@/offline/device/online.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, ButtonLink, cn, EmptyState, usePageHeading } from '@/ui';
import { BackToList } from './BackToList.tsx';
import { Composer } from './Composer.tsx';
import { ConnectionBadge, ConnectionBanner } from './ConnectionStatus.tsx';
import type { FoundConversation } from './conversationId.ts';
import { useConversation } from './conversations.ts';
import { describeLastSeen } from './describeMessage.ts';
import { NewRequest } from './NewRequest.tsx';
import { useNewestMessages } from './newestMessages.ts';
import { RequestBar } from './RequestBar.tsx';
import { ConversationSkeleton } from './skeletons.tsx';
import { Thread } from './Thread.tsx';
import { useRejectedChanges } from './useMessageActions.ts';

export function Conversation({ anyId, found }: { anyId: string; found: FoundConversation }) {
  // A member without a conversation can be sent a request; offline that is explained if the member is known.
  if (found.error || found.id === null) {
    return (
      <NewRequest
        error={found.error}
        notFound={<NotFound />}
        onRetry={found.refetch}
        userId={anyId}
        skeleton={<ConversationSkeleton />}
      />
    );
  }
  if (found.id === undefined) return <ConversationSkeleton />;
  return <StoredConversation id={found.id} key={found.id} />;
}

function StoredConversation({ id }: { id: string }) {
  const conversation = useConversation(id);
  if (conversation === undefined) return <ConversationSkeleton />;
  if (conversation === null) return <NotFound />;
  return <OpenConversation conversation={conversation} />;
}

function OpenConversation({ conversation }: { conversation: ConversationRow }) {
  const { id, request, isFormer, user, userId } = conversation;
  const isEnding = useIsEnding(userId);
  const [sentCount, setSentCount] = useState(0);
  const [replyTo, setReplyTo] = useState<number | null>(null);
  const reply = useCallback((row: MessageRow) => setReplyTo(row.seq), []);
  const at = useTargetMessage();
  useRejectedChanges();
  const newest = useNewestMessages(id);
  return (
    <>
      <Header conversation={conversation} />
      <ConnectionBanner />
      <Thread at={at} conversation={conversation} newest={newest} onReply={reply} sentCount={sentCount} />
      {isFormer ? (
        <FormerNote />
      ) : isEnding ? (
        <div className="border-line border-t bg-surface px-4 pt-4 pb-[max(16px,env(safe-area-inset-bottom))]">
          <EndingMatch member={user} />
        </div>
      ) : request === 'none' ? (
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

/** Shown in place of the composer when the other member has deleted the account. */
function FormerNote() {
  return (
    <p className="border-line border-t bg-surface px-4 pt-4 pb-[max(16px,env(safe-area-inset-bottom))] text-center text-muted">
      This person deleted their account, and their messages with it. Yours stay here for you.
    </p>
  );
}

/** The message in the address, from a search result; `key` changes with each navigation. */
function useTargetMessage() {
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
    <header className="@container flex min-h-16 items-center gap-[min(0.5rem,8px)] border-line border-b bg-surface px-[min(0.5rem,8px)] pt-safe md:px-4">
      <BackToList />
      <h2 aria-label={user.firstName} className="flex min-w-0 flex-auto" ref={heading} tabIndex={-1}>
        <ProfileLink conversation={conversation}>
          {/* With text of double size only the name fits. */}
          <Avatar className="@max-[16rem]:hidden" online={online} size="sm" user={user} />
          <span className="min-w-0">
            <span className="block truncate font-semibold leading-5" dir="auto">
              {user.firstName}
            </span>
            <span className="block truncate text-muted text-xs">{typing ? 'typing...' : about}</span>
          </span>
        </ProfileLink>
      </h2>
      <ConnectionBadge />
      {/* There is room for one more icon: a test adds it at 320 px and with text of double size. */}
      <div className="-me-1 flex shrink-0 items-center" data-testid="conversation-actions">
        {!conversation.isFormer && <MemberMenu member={user} place="conversation" />}
      </div>
    </header>
  );
}

/** A link to the other member's profile; a former member has none. */
function ProfileLink({ conversation, children }: { conversation: ConversationRow; children: ReactNode }) {
  const className = 'flex min-h-11 min-w-0 flex-auto items-center gap-3 rounded-control px-[4px]';
  if (conversation.isFormer) return <span className={className}>{children}</span>;
  return (
    <Link className={cn(className, 'hover:bg-raised')} to={paths.member(conversation.userId)} viewTransition>
      {children}
      <span className="sr-only">View profile</span>
    </Link>
  );
}

/** Returns "Online", "Last seen 2 hours ago", or the city when presence is hidden or cannot be known, as offline. */
function usePresence({ userId, lastSeenAt, request, user }: ConversationRow, online: boolean): string {
  const lastSeen = useLastSeen(userId, lastSeenAt);
  const connected = useOnline();
  useMinute();
  if (request !== 'none' || !connected) return user.city;
  if (online) return 'Online';
  return lastSeen ? describeLastSeen(lastSeen) : user.city;
}

function NotFound() {
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
