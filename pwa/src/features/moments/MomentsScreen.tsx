import { Plus } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Button, EmptyState, ErrorState, Screen, Skeleton, useAction } from '@/ui';
import { Consents } from './Consents.tsx';
import { CreateDialog } from './CreateDialog.tsx';
import { MomentCard } from './MomentCard.tsx';
import { loadMore, useMoments } from './moments.ts';

/** /shareable-moments: what the member can share outside the app. */
export default function MomentsScreen() {
  const { data, state, error, refresh } = useMoments();
  const [creating, setCreating] = useState(false);
  const open = () => setCreating(true);
  return (
    <Screen back={paths.profile} title="Shareable Moments" width="wide">
      {data ? (
        <div className="flex flex-col gap-5 pb-6">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="min-w-0 flex-[1_1_16rem] text-muted">
              Pictures to share, if you like. Others are named only when they agree.
            </p>
            {data.items.length > 0 && (
              <Button onClick={open}>
                <Plus aria-hidden="true" className="size-5" />
                Create Moment
              </Button>
            )}
          </div>
          <Consents consents={data.consents} />
          {data.items.length === 0 ? (
            <EmptyState
              action={<Button onClick={open}>Create Your First Moment</Button>}
              art="hearts"
              text="A match, a badge or a friend who joined becomes a picture here."
              title="No moments yet"
            />
          ) : (
            <ul aria-label="Your moments" className="grid items-start gap-5 lg:grid-cols-2">
              {data.items.map((moment) => (
                <li key={moment.id}>
                  <MomentCard moment={moment} />
                </li>
              ))}
            </ul>
          )}
          {data.next && <More />}
        </div>
      ) : state === 'error' ? (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="We could not load your moments"
        />
      ) : (
        <div aria-label="Loading your moments" className="grid gap-5 lg:grid-cols-2" role="status">
          <Skeleton className="h-120 rounded-card" />
          <Skeleton className="h-120 rounded-card max-lg:hidden" />
        </div>
      )}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Screen>
  );
}

function More() {
  const db = useDb();
  const [load, { isBusy }] = useAction(() => loadMore(db));
  return (
    <Button busy={isBusy} className="self-center" onClick={load} variant="secondary">
      Show more
    </Button>
  );
}
