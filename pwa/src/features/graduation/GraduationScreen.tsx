import type { CoupleState } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, ErrorState, Screen, Skeleton, toast, useAction } from '@/ui';
import { AskFlow } from './AskFlow.tsx';
import { CoupleCard } from './CoupleCard.tsx';
import { returnToDiscovery, useGraduation } from './graduation.ts';
import { RequestCard } from './RequestCard.tsx';

/** /graduation: a couple leaves dating together. */
export default function GraduationScreen() {
  const { data, state, refresh } = useGraduation();
  return (
    <Screen back={paths.profile} title="Graduation" width="reading">
      {data ? (
        <Content state={data} />
      ) : state === 'error' ? (
        <ErrorState onRetry={refresh} title="We could not load your graduation" />
      ) : (
        <Skeleton className="h-72 rounded-card" />
      )}
    </Screen>
  );
}

function Content({ state: { couple, requests, ended, isGraduated } }: { state: CoupleState }) {
  return (
    <div className="flex flex-col gap-5 pb-6">
      {!couple && isGraduated && <Return />}
      {!couple && ended && <EndedNotice ended={ended} />}
      {(requests ?? []).map((request) => (
        <RequestCard key={request.id} request={request} />
      ))}
      {couple && <CoupleCard couple={couple} key={couple.id} />}
      {!couple && !requests?.length && <AskFlow />}
      {couple?.status !== 'graduated' && (
        <ButtonLink className="self-center" to={paths.legacyWall} variant="secondary">
          See the Legacy Wall
        </ButtonLink>
      )}
    </div>
  );
}

const endings = {
  declined: 'Your partner would rather wait. You can ask again later.',
  withdrawn: 'Your graduation was withdrawn.',
  rejected: 'A moderator could not approve it:',
};

function EndedNotice({ ended }: { ended: NonNullable<CoupleState['ended']> }) {
  return (
    <p className="card p-5">
      {endings[ended.status]} {ended.reason && <bdi className="font-medium">{ended.reason}</bdi>}
    </p>
  );
}

/** The way back of a member whose couple has ended. */
function Return() {
  const [goBack, { isBusy }] = useAction(async () => {
    await returnToDiscovery();
    toast({ title: 'Welcome back', description: 'Others can find you again.' });
  });
  return (
    <section aria-label="Come back" className="card flex flex-col gap-3 p-5">
      <h2 className="font-display font-semibold text-xl">Nobody finds you at the moment</h2>
      <p className="text-muted">
        You left dating with your graduation. Come back whenever you like, or never.
      </p>
      <Button busy={isBusy} className="self-start" onClick={goBack}>
        Return to Discover
      </Button>
    </section>
  );
}
