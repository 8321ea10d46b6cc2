import { setMe, useMember } from '@/session/session.ts';
import { saveProfile } from './memberRequests.ts';
import { NoticeBanner } from './NoticeBanner.tsx';
import { formatPauseEnd, useIsPaused } from './pause.ts';

/** Says that the profile is paused, until when, and resumes it. */
export default function PauseBanner() {
  const { pausedUntil } = useMember();
  if (!useIsPaused()) return null;
  return (
    <NoticeBanner
      action="Resume"
      label="Paused profile"
      onAction={async () => setMe(await saveProfile({ paused: false }))}
      text={pausedUntil ? `Paused until ${formatPauseEnd(pausedUntil)}.` : 'Your profile is paused.'}
    />
  );
}
