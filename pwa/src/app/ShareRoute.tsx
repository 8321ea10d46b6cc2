import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { addToDraft } from '@/features/messaging/drafts.ts';
import { PickConversation } from '@/features/messaging/PickConversation.tsx';
import { deleteShared, readShared, type Shared } from '@/offline/device/shared.ts';
import { getDb } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Button, ButtonLink, EmptyState, ErrorState, Screen, Skeleton, toastError } from '@/ui';
import { storeForTray } from './sharedPictures.ts';

/** /share: lets the member pick a conversation for content shared from another app. It becomes a draft there. */
export default function ShareRoute() {
  const { id } = useMember();
  const [search] = useSearchParams();
  const { data, isError, refetch } = useQuery({
    queryKey: ['shared', id],
    queryFn: () => readShared(id),
    // Not cached, because something else may have been shared since.
    gcTime: 0,
    staleTime: 0,
    networkMode: 'always',
  });
  return (
    <Screen back={paths.messages} title="Share" width="reading">
      {search.has('failed') ? (
        <ErrorState
          text="This device may be low on space. Share fewer pictures at once, or add them in the conversation."
          title="This could not be shared"
        />
      ) : isError ? (
        <ErrorState onRetry={refetch} text="Please try again." title="This could not be opened" />
      ) : data === undefined ? (
        <Skeleton className="h-28 rounded-card" />
      ) : data === null ? (
        <EmptyState
          action={<ButtonLink to={paths.messages}>Your messages</ButtonLink>}
          art="letters"
          text="Share words or pictures with Heartward from another app, and choose here who gets them."
          title="Nothing to share"
        />
      ) : (
        <SharePicker shared={data} />
      )}
    </Screen>
  );
}

function SharePicker({ shared }: { shared: Shared }) {
  const navigate = useNavigate();

  async function pick(conversationId: string) {
    try {
      await addToDraft(getDb(), conversationId, shared.text);
    } catch {
      toastError('Free some space and choose again.', 'This device could not keep it');
      return;
    }
    storeForTray(conversationId, shared.pictures);
    await deleteShared().catch(console.warn);
    await navigate(paths.conversation(conversationId), { replace: true, viewTransition: true });
  }

  async function cancelShare() {
    await deleteShared().catch(console.warn);
    await navigate(paths.messages, { replace: true, viewTransition: true });
  }

  return (
    <>
      <section aria-label="To be shared" className="card flex flex-col gap-3 p-4">
        {shared.pictures.length > 0 && <Pictures shared={shared} />}
        {shared.text && (
          <p className="line-clamp-4 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
            {shared.text}
          </p>
        )}
        <Button className="self-end" onClick={() => void cancelShare()} size="sm" variant="ghost">
          Do not share
        </Button>
      </section>
      <h2 className="mt-5 font-display font-semibold text-lg">Who is it for?</h2>
      <p className="mb-2 text-muted text-sm">You can look at it once more there: you send it yourself.</p>
      <PickConversation onPick={({ id }) => void pick(id)} />
    </>
  );
}

function Pictures({ shared: { pictures, omitted } }: { shared: Shared }) {
  const [urls, setUrls] = useState<string[]>([]);
  useEffect(() => {
    const createdUrls = pictures.map((picture) => URL.createObjectURL(picture));
    setUrls(createdUrls);
    return () => {
      for (const url of createdUrls) URL.revokeObjectURL(url);
    };
  }, [pictures]);
  return (
    <>
      <ul className="flex gap-2 overflow-x-auto">
        {urls.map((url, index) => (
          <li className="size-20 shrink-0 overflow-hidden rounded-card bg-plum-soft" key={url}>
            <img alt={`Shared ${index + 1}`} className="size-full object-cover" src={url} />
          </li>
        ))}
      </ul>
      {omitted > 0 && (
        <p className="text-muted text-sm" role="status">
          A message holds {pictures.length} pictures: the other{' '}
          {omitted === 1 ? 'one stays' : `${omitted} stay`} behind.
        </p>
      )}
    </>
  );
}
