import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { addToDraft } from '@/features/messaging/drafts.ts';
import { PickConversation } from '@/features/messaging/PickConversation.tsx';
import { deleteShared, readShared, type Shared } from '@/offline/device/sharedFiles.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Button, ButtonLink, EmptyState, ErrorState, RelativeTime, Screen, Skeleton, toastError } from '@/ui';
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
          text={
            search.get('failed') === 'long'
              ? 'This text is far longer than a message. Please share a part of it.'
              : 'This device may be low on space. Share fewer pictures at once, or add them in the conversation.'
          }
          title="This could not be shared"
        />
      ) : isError ? (
        <ErrorState onRetry={refetch} text="Please try again." title="This could not be opened" />
      ) : data === undefined ? (
        <Skeleton className="h-28 rounded-card" />
      ) : data.length === 0 ? (
        <EmptyState
          action={<ButtonLink to={paths.messages}>Your messages</ButtonLink>}
          art="letters"
          text="Share words or pictures with Heartward from another app, and choose here who gets them."
          title="Nothing to share"
        />
      ) : (
        <SharePicker onRemoved={() => void refetch()} shares={data} />
      )}
    </Screen>
  );
}

type SharePickerProps = {
  /** At least one. */
  shares: Shared[];
  onRemoved: () => void;
};

/** Lets the member choose one of the shares, if there are several, and a conversation for it. */
function SharePicker({ shares, onRemoved }: SharePickerProps) {
  const db = useDb();
  const navigate = useNavigate();
  const [chosenId, setChosenId] = useState('');
  const chosen = shares.find(({ id }) => id === chosenId) ?? shares[0];

  async function pick(conversationId: string) {
    if (!chosen) return;
    try {
      await addToDraft(db, conversationId, chosen.text);
    } catch {
      toastError('Free some space and choose again.', 'This device could not keep it');
      return;
    }
    storeForTray(db, conversationId, chosen.pictures);
    await deleteShared(chosen.id).catch(console.warn);
    await navigate(paths.conversation(conversationId), { replace: true, viewTransition: true });
  }

  async function remove(id: string) {
    await deleteShared(id).catch(console.warn);
    if (shares.length > 1) onRemoved();
    else await navigate(paths.messages, { replace: true, viewTransition: true });
  }

  return (
    <>
      {shares.length > 1 && <h2 className="mb-2 font-display font-semibold text-lg">Which one?</h2>}
      <ul aria-label="To be shared" className="flex flex-col gap-3">
        {shares.map((shared) => (
          <li className="card flex flex-col gap-3 p-4" key={shared.id}>
            {shares.length > 1 ? (
              <label className="flex min-h-11 items-center gap-3">
                <input
                  checked={shared === chosen}
                  className="size-5 shrink-0 accent-ember"
                  name="share"
                  onChange={() => setChosenId(shared.id)}
                  type="radio"
                />
                <Source shared={shared} />
              </label>
            ) : (
              <Source shared={shared} />
            )}
            <Content shared={shared} />
            <Button className="self-end" onClick={() => void remove(shared.id)} size="sm" variant="ghost">
              Do not share
            </Button>
          </li>
        ))}
      </ul>
      <h2 className="mt-5 font-display font-semibold text-lg">Who is it for?</h2>
      <p className="mb-2 text-muted text-sm">You can review it before you send it.</p>
      <PickConversation onPick={({ id }) => void pick(id)} />
    </>
  );
}

/** Where a share came from. Without a name it may also be a website that hides its own. */
function Source({ shared: { website, at } }: { shared: Shared }) {
  return (
    <p className="min-w-0 text-muted text-sm [overflow-wrap:anywhere]">
      {website ? `From the website ${website}` : 'From another app or a website'},{' '}
      <RelativeTime inSentence value={new Date(at)} />
    </p>
  );
}

const Content = ({ shared }: { shared: Shared }) => (
  <>
    {shared.pictures.length > 0 && <Pictures shared={shared} />}
    {shared.text && (
      <p className="line-clamp-4 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {shared.text}
      </p>
    )}
  </>
);

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
