import { setMe, useMember } from '@/session/session.ts';
import { NoticeBanner } from '@/ui';
import { formatPauseEnd, useIsPaused } from './pause.ts';
import { saveProfile } from './profileRequests.ts';

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
