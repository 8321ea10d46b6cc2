import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { v7 as uuidv7 } from 'uuid';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import { isId } from '@/api/ids.ts';
import { MAX_REQUEST_CONVERSATION_CONTENT } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { PublicMember } from '@/api/types.ts';
import { readMember } from '@/domain/memberCache.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useOnline } from '@/offline/device/online.ts';
import { useDb, useFailure } from '@/offline/store/cached.ts';
import { storeConversation } from '@/offline/sync/sync.ts';
import { paths } from '@/session/paths.ts';
import { BackLink, Button, ErrorState, FailureText, TextArea, toast, useAction } from '@/ui';
import { DRAFT_NOT_STORED, storeDraft } from './drafts.ts';
import { MemberSummary } from './MemberSummary.tsx';
import { Openers } from './Openers.tsx';
import { useMessageFilter } from './slots.ts';

type NewRequestProps = {
  userId: string;
  /** Why the search for a conversation has failed. */
  error: Error | null;
  onRetry: () => unknown;
  notFound: ReactNode;
  skeleton: ReactNode;
};

/** The form that sends a request, a single message, to a member without a match. */
export function NewRequest({ userId, error, onRetry, notFound, skeleton }: NewRequestProps) {
  const query = useRecipient(userId);
  const failure = useFailure(query);
  const { data: member } = query;
  if (member) return <RequestForm key={member.id} member={member} />;
  if (query.isPending && !failure) return skeleton;
  if (error || failure) {
    return (
      <>
        <header className="flex min-h-16 items-center border-line border-b bg-surface px-2 pt-safe md:hidden">
          <BackFromRequest />
        </header>
        <ErrorState
          onRetry={() => Promise.all([onRetry(), query.refetch()])}
          text={describeLoadError(failure ?? error)}
          title="This conversation could not be loaded"
        />
      </>
    );
  }
  return notFound;
}

/** Back to where the member found the other one, such as the place in Discover. */
const BackFromRequest = () => <BackLink className="md:hidden" to={paths.messages} toPrevious />;

/** Loads a member, from the device if the server cannot be reached; null if there is no such member. */
function useRecipient(userId: string) {
  const db = useDb();
  return useQuery({
    queryKey: ['request-recipient', userId],
    queryFn: async (): Promise<PublicMember | null> => {
      if (!isId(userId)) return null;
      try {
        return await unwrap(api.GET('/api/users/{id}', { params: { path: { id: userId } } }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        const stored = await readMember(db, userId);
        if (stored) return stored.member;
        throw error;
      }
    },
    gcTime: 0,
    networkMode: 'always',
  });
}

function RequestForm({ member }: { member: PublicMember }) {
  const name = member.firstName;
  const online = useOnline();
  const { text, setText, notStored } = useRequestDraft(member.id);
  const { confirmSend, textChanged } = useMessageFilter({ userId: member.id, text: text.trim() });
  const field = useRef<HTMLTextAreaElement>(null);
  const [sendRequest, { isBusy, error }] = useSendRequest(member.id, text.trim());

  function write(next: string) {
    setText(next);
    textChanged(next);
  }

  async function send() {
    if (await confirmSend()) void sendRequest();
    else field.current?.focus();
  }

  return (
    <>
      <RequestHead member={member} />
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <form
          className="mx-auto flex max-w-lg flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Explanation name={name} />
          <MemberSummary member={member} />
          <TextArea
            count={text.length}
            label={`Your message to ${name}`}
            maxLength={MAX_REQUEST_CONVERSATION_CONTENT}
            onChange={({ target }) => write(target.value)}
            ref={field}
            rows={5}
            value={text}
          />
          {/* Once the member writes, there is nothing to begin. */}
          {!text.trim() && (
            <Openers
              onPick={(opener) => {
                write(opener);
                field.current?.focus();
              }}
              prompts={member.prompts}
              seed={member.id}
            />
          )}
          <Problem error={error || (notStored ? DRAFT_NOT_STORED : '')} isOffline={!online} />
          <Button block busy={isBusy} disabled={!online || !text.trim()} size="lg" type="submit">
            Send request
          </Button>
        </form>
      </div>
    </>
  );
}

const RequestHead = ({ member }: { member: PublicMember }) => (
  <header className="flex min-h-16 items-center gap-2 border-line border-b bg-surface px-2 pt-safe md:px-4">
    <BackFromRequest />
    <h2 className="min-w-0 flex-1 truncate px-1 font-semibold">Send a request</h2>
    <MemberMenu className="-me-1" member={member} place="conversation" />
  </header>
);

/** Why the request was not sent, or cannot be sent. */
const Problem = ({ error, isOffline }: { error: string; isOffline: boolean }) => (
  <>
    <FailureText className="text-base">{error}</FailureText>
    {isOffline && (
      <p className="rounded-control bg-plum-soft px-3 py-2 text-plum text-sm" role="status">
        You're offline. Your words are kept here; a request can be sent once you're online.
      </p>
    )}
  </>
);

const Explanation = ({ name }: { name: string }) => (
  <div className="pt-2 text-center">
    <p className="font-display font-semibold text-xl">Write to {name}</p>
    <p className="mt-1 text-balance text-muted">
      You haven't matched yet, so this is sent as a request. You can send one message; when {name} accepts, it
      becomes a conversation.
    </p>
  </div>
);

/** Sends the text as a request, and opens its conversation. */
function useSendRequest(recipientId: string, content: string) {
  const db = useDb();
  const navigate = useNavigate();
  // A retry with the same id returns the first result.
  const clientId = useRef(uuidv7());

  async function request() {
    try {
      const body = { recipientId, content, clientId: clientId.current };
      const { conversation } = await unwrap(api.POST('/api/messages/requests', { body }));
      await storeConversation(db, conversation);
      await db.drafts.delete(recipientId);
      const sent = conversation.request === 'sent';
      toast({ title: sent ? 'Request sent' : 'Message sent' });
      await navigate(paths.conversation(conversation.id), { replace: true });
    } catch (failure) {
      // The server has rejected the text; a changed one is a new request. After any other failure it may be stored.
      if (failure instanceof ApiError && !failure.isTemporary) clientId.current = uuidv7();
      throw failure;
    }
  }
  return useAction(request, {
    inline: true,
    errorText: (failure) => describeError(failure, 'This did not work. Please try again.'),
    staysBusy: true,
  });
}

/** The draft of a request, stored on the device until it is sent. */
function useRequestDraft(userId: string) {
  const db = useDb();
  const [text, setText] = useState('');
  const [notStored, setNotStored] = useState(false);
  /** Whether the field has content that the stored draft must not replace. */
  const loaded = useRef(false);
  useEffect(() => {
    void db.drafts
      .get(userId)
      .then((draft) => draft && !loaded.current && setText(draft.content))
      .catch(() => undefined);
  }, [userId, db]);
  const write = (content: string) => {
    loaded.current = true;
    setText(content);
    storeDraft(db, userId, content).then(
      () => setNotStored(false),
      () => setNotStored(true),
    );
  };
  return { text, setText: write, notStored };
}
