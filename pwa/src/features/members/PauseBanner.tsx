import { useState } from 'react';
import { describeError } from '@/api/client.ts';
import { setMe, useMember } from '@/session/session.ts';
import { Button, toastError, useRootMark } from '@/ui';
import { formatPauseEnd, useIsPaused } from './pause.ts';
import { saveProfile } from './requests.ts';

/** Says that the profile is paused, until when, and resumes it. */
export default function PauseBanner() {
  const { pausedUntil } = useMember();
  const paused = useIsPaused();
  const [busy, setBusy] = useState(false);
  useRootMark('paused', paused);
  if (!paused) return null;

  async function resume() {
    setBusy(true);
    try {
      await setMe(await saveProfile({ paused: false }));
    } catch (failure) {
      toastError(describeError(failure));
      setBusy(false);
    }
  }

  return (
    <aside
      aria-label="Paused profile"
      className="mb-3 flex min-h-11 items-center justify-between gap-3 rounded-control bg-plum-soft pl-4 text-plum"
    >
      <p className="min-w-0 py-1 text-sm">
        {pausedUntil ? `Paused until ${formatPauseEnd(pausedUntil)}.` : 'Your profile is paused.'}
      </p>
      <Button busy={busy} className="shrink-0" onClick={resume} size="sm" variant="ghost">
        Resume
      </Button>
    </aside>
  );
}
