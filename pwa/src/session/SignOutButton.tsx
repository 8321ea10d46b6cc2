import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { type Session, useSession } from '@/base/pageSession.ts';
import type { Unsent } from '@/offline/outbox/unsent.ts';
import { listUnsent } from '@/offline/outbox/unsentWords.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { Button, ConfirmDialog, useAction } from '@/ui';
import { signOut } from './session.ts';

/** How long signing out waits for the device's database. */
const FIND_UNSENT_TIMEOUT_MS = 2000;

/** Returns the unsent items, or null if the database does not respond in time. */
async function findUnsentInTime(session: Session): Promise<Unsent | null> {
  const search = import('@/offline/outbox/unsent.ts').then(({ findUnsent }) => findUnsent(session));
  return (await withTimeout(search, FIND_UNSENT_TIMEOUT_MS)) ?? null;
}

/** Returns "1 recording and 2 messages have not been sent yet.", or '' if everything was sent. */
function describeUnsent(unsent: Unsent | null): string {
  if (!unsent) return 'We cannot see whether everything you wrote has been sent.';
  const named = listUnsent(unsent);
  return named ? `${named.words} ${named.one ? 'has' : 'have'} not been sent yet.` : '';
}

type SignOutButtonProps = {
  /** Small in the navigation of a desk, whose labels it looks like, and in the header of a screen. */
  place?: 'navigation' | 'header';
};

/** Signs out; asks first if there are unsent items. */
export function SignOutButton({ place }: SignOutButtonProps) {
  const session = useSession();
  const [unsentText, setUnsentText] = useState('');

  const [confirmSignOut, { isBusy: isSigningOut }] = useAction(signOut, { staysBusy: true });
  const [signOutOrAsk, { isBusy: isChecking }] = useAction(async () => {
    const text = describeUnsent(await findUnsentInTime(session));
    setUnsentText(text);
    if (!text) await confirmSignOut();
  });
  const isBusy = isChecking || isSigningOut;

  return (
    <>
      <Button
        busy={isBusy}
        // In the navigation large text grows as its labels do.
        className={
          place === 'navigation'
            ? 'gap-[6px] whitespace-nowrap px-[12px] text-[min(0.875rem,2.2vw,20px)]'
            : undefined
        }
        onClick={signOutOrAsk}
        size={place ? 'sm' : 'md'}
        variant={place ? 'ghost' : 'secondary'}
      >
        {!isBusy && <LogOut aria-hidden="true" className="size-[18px]" />}
        Sign Out
      </Button>
      {unsentText && (
        <ConfirmDialog
          busy={isSigningOut}
          cancel="Stay"
          confirm="Sign out and discard"
          description={`${unsentText} Signing out removes everything from this device.`}
          onClose={() => setUnsentText('')}
          onConfirm={confirmSignOut}
          title="Sign out now?"
        />
      )}
    </>
  );
}
