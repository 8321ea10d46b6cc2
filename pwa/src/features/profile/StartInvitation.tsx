import { X } from 'lucide-react';
import { useState } from 'react';
import { storageKeys } from '@/base/storage.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { ButtonLink, IconButton } from '@/ui';
import { useStartedMe } from './useStartedMe.ts';

/**
 * Returns whether a new member is invited to finish the profile, until the steps are finished or the invitation is
 * dismissed on this device. In the latter case the profile still has a link to the steps while parts of it are missing.
 */
export function useStartInvitation(): { isInvited: boolean; dismiss: () => void } {
  const { welcomed } = useMember();
  const me = useStartedMe();
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(storageKeys.startDismissed) !== null);
  const dismiss = () => {
    localStorage.setItem(storageKeys.startDismissed, '1');
    setDismissed(true);
  };
  return { isInvited: !welcomed && me?.welcomed !== true && !dismissed, dismiss };
}

/** Invites a new member to finish the profile. On a phone it is one row, so that people come first. */
export function StartInvitation({ onDismiss }: { onDismiss: () => void }) {
  const me = useMember();
  return (
    <aside aria-label="Finish your profile" className="border-line border-b bg-plum-soft pt-safe text-plum">
      <div className="mx-auto flex w-full max-w-[1152px] items-center gap-2 px-safe py-1 sm:py-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:py-1">
          <p className="min-w-[min(100%,7rem)] flex-1">
            <span className="font-display font-semibold">
              Welcome, <bdi>{me.firstName}</bdi>.
            </span>{' '}
            <span className="max-sm:sr-only">A photo and a few words help people get to know you.</span>
          </p>
          <ButtonLink size="sm" to={paths.start}>
            Finish your profile
          </ButtonLink>
        </div>
        <IconButton className="-me-2 self-start" icon={X} label="Not now" onClick={onDismiss} />
      </div>
    </aside>
  );
}
