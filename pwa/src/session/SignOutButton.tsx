import { LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { type Session, useSession } from '@/base/pageSession.ts';
import type { Unsent } from '@/offline/outbox/unsent.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { Button, lazyWithRetry, useAction } from '@/ui';
import { signOut } from './session.ts';

const SignOutDialog = lazyWithRetry(() => import('./SignOutDialog.tsx'));

/** How long signing out waits for the device's database, and for its dialog. */
const TIMEOUT_MS = 2000;

const PLAIN_QUESTION =
  'Sign out now? Something you wrote may not have been sent. Signing out removes everything from this device.';

/** Returns the unsent items, or null if the database does not respond in time. */
async function findUnsentInTime(session: Session): Promise<Unsent | null> {
  const search = import('@/offline/outbox/unsent.ts').then(({ findUnsent }) => findUnsent(session));
  return (await withTimeout(search, TIMEOUT_MS)) ?? null;
}

const isAllSent = (unsent: Unsent): boolean => Object.values(unsent).every((count) => count === 0);

type SignOutButtonProps = {
  /** Small in the navigation of a desk, whose labels it looks like, and in the header of a screen. */
  place?: 'navigation' | 'header';
};

/** Signs out; asks first if there are unsent items. */
export function SignOutButton({ place }: SignOutButtonProps) {
  const session = useSession();
  const [question, setQuestion] = useState<{ unsent: Unsent | null } | null>(null);

  const [confirmSignOut, { isBusy: isSigningOut }] = useAction(signOut, { staysBusy: true });
  const [signOutOrAsk, { isBusy: isChecking }] = useAction(async () => {
    const unsent = await findUnsentInTime(session);
    if (unsent && isAllSent(unsent)) return confirmSignOut();
    // On a first visit that lost its connection, neither the browser nor the worker has the dialog.
    if (await withTimeout(SignOutDialog.preload(), TIMEOUT_MS)) setQuestion({ unsent });
    else if (confirm(PLAIN_QUESTION)) await confirmSignOut();
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
      {question && (
        <Suspense>
          <SignOutDialog
            isBusy={isSigningOut}
            onClose={() => setQuestion(null)}
            onConfirm={confirmSignOut}
            unsent={question.unsent}
          />
        </Suspense>
      )}
    </>
  );
}
