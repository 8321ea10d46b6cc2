import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { CoupleState } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, ErrorState, Screen, Skeleton, toast, useAction } from '@/ui';
import { AskFlow } from './AskFlow.tsx';
import { CoupleCard } from './CoupleCard.tsx';
import { EndedNotice } from './EndedNotice.tsx';
import { returnToDiscovery, useGraduation } from './graduation.ts';
import { RequestCard } from './RequestCard.tsx';

/** /graduation: a couple leaves dating together. */
export default function GraduationScreen() {
  const { data, state, error, refresh } = useGraduation();
  return (
    <Screen back={paths.profile} title="Graduation" width="reading">
      {data ? (
        <Content state={data} />
      ) : state === 'error' ? (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="We could not load your graduation"
        />
      ) : (
        <Skeleton className="h-72 rounded-card" />
      )}
    </Screen>
  );
}

function Content({ state: { couple, requests, ended, isGraduated } }: { state: CoupleState }) {
  return (
    <div className="flex flex-col gap-5 pb-6">
      {!couple && isGraduated && <ReturnToDiscover />}
      {!couple && ended && <EndedNotice ended={ended} />}
      {(requests ?? []).map((request) => (
        <RequestCard key={request.id} request={request} />
      ))}
      {couple && <CoupleCard couple={couple} key={couple.id} />}
      {!couple && <Asking hasRequests={Boolean(requests?.length)} />}
      {couple?.status !== 'graduated' && (
        <ButtonLink className="self-center" to={paths.legacyWall} variant="secondary">
          See the Legacy Wall
        </ButtonLink>
      )}
    </div>
  );
}

/**
 * The way to ask a partner. A member who opens the screen with somebody's request answers that first, and can still ask
 * another; what a member has begun to write stays when a request arrives.
 */
function Asking({ hasRequests }: { hasRequests: boolean }) {
  const [isOpen, setOpen] = useState(!hasRequests);
  if (isOpen || !hasRequests) return <AskFlow />;
  return (
    <Button className="self-center" onClick={() => setOpen(true)} variant="ghost">
      Ask someone else
    </Button>
  );
}

/** The way back of a member whose couple has ended. */
function ReturnToDiscover() {
  const db = useDb();
  const [goBack, { isBusy }] = useAction(async () => {
    await returnToDiscovery(db);
    toast({ title: 'Welcome back', description: 'Others can find you again.' });
  });
  return (
    <section aria-label="Come back" className="card flex flex-col gap-3 p-5">
      <h2 className="font-display font-semibold text-xl">Nobody finds you at the moment</h2>
      <p className="text-muted">You left dating when you graduated. Come back whenever you like, or never.</p>
      <Button busy={isBusy} className="self-start" onClick={goBack}>
        Return to Discover
      </Button>
    </section>
  );
}
