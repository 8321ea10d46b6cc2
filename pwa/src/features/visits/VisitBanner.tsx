import { useEffect, useEffectEvent } from 'react';
import { setMe } from '@/session/session.ts';
import { NoticeBanner } from '@/ui';
import { describeVisit, useVisit } from './useVisit.ts';
import { endVisit } from './visitRequests.ts';

/** Says in which town the member looks, and until when, and ends the visit. Calls `onEnd` when it has ended. */
export function VisitBanner({ onEnd }: { onEnd: () => void }) {
  const visit = useVisit();
  const ended = visit === null;
  const reportEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (ended) reportEnd();
  }, [ended]);
  if (!visit) return null;

  async function goHome() {
    await setMe(await endVisit());
    onEnd();
  }

  return (
    <NoticeBanner action="Back home" label="Another town" onAction={goHome} text={describeVisit(visit)} />
  );
}
