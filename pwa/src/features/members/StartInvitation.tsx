import { X } from 'lucide-react';
import { useState } from 'react';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { storageKeys } from '@/session/storage.ts';
import { ButtonLink, IconButton } from '@/ui';

/**
 * Invites a new member to finish the profile, until the steps are finished or it is dismissed on this device. In the
 * latter case the profile still has a link to the steps while parts of it are missing.
 */
export function StartInvitation() {
  const me = useMember();
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(storageKeys.startDismissed) !== null);
  if (me.welcomed || dismissed) return null;
  return (
    <aside aria-label="Finish your profile" className="border-line border-b bg-plum-soft pt-safe text-plum">
      <div className="mx-auto flex w-full max-w-[1152px] items-center gap-2 px-safe py-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1">
          <p className="min-w-[min(100%,12rem)] flex-1">
            <span className="font-display font-semibold">Welcome, {me.firstName}.</span> A photo and a few
            words help people get to know you.
          </p>
          <ButtonLink size="sm" to={paths.start}>
            Finish your profile
          </ButtonLink>
        </div>
        <IconButton
          className="-mr-2 self-start"
          icon={X}
          label="Not now"
          onClick={() => {
            localStorage.setItem(storageKeys.startDismissed, '1');
            setDismissed(true);
          }}
        />
      </div>
    </aside>
  );
}
