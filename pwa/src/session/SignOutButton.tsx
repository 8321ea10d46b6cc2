import { LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { type Session, useSession } from '@/base/pageSession.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { Button, lazyWithRetry, useAction } from '@/ui';
import { signOut } from './session.ts';

const SignOutDialog = lazyWithRetry(() => import('./SignOutDialog.tsx'));

/** How long signing out waits for the device's database, and for its dialog. */
const TIMEOUT_MS = 2000;

/** Returns a sentence about what is unsent, null if everything was sent. It is general if the database does not respond in time. */
async function describeUnsentInTime(session: Session): Promise<string | null> {
  const modules = [import('@/offline/outbox/unsent.ts'), import('@/offline/outbox/unsentWords.ts')] as const;
  const search = Promise.all(modules).then(async ([{ findUnsent }, { describeUnsent }]) =>
    describeUnsent(await findUnsent(session)),
  );
  const found = await withTimeout(search, TIMEOUT_MS);
  return found === undefined ? 'We cannot see whether everything you wrote has been sent.' : found;
}

type SignOutButtonProps = {
  /** Small in the navigation of a desk, whose labels it looks like, and in the header of a screen. */
  place?: 'navigation' | 'header';
};

/** Signs out; asks first if there are unsent items. */
export function SignOutButton({ place }: SignOutButtonProps) {
  const session = useSession();
  const [warning, setWarning] = useState<string | null>(null);

  const [confirmSignOut, { isBusy: isSigningOut }] = useAction(signOut, { staysBusy: true });
  const [signOutOrAsk, { isBusy: isChecking }] = useAction(async () => {
    // In parallel, so that a slow connection has the dialog when it is needed.
    const dialog = SignOutDialog.preload();
    const unsent = await describeUnsentInTime(session);
    if (!unsent) return confirmSignOut();
    const text = `${unsent} Signing out removes everything from this device.`;
    // On a first visit that lost its connection, neither the browser nor the worker has the dialog.
    if (await withTimeout(dialog, TIMEOUT_MS)) setWarning(text);
    else if (confirm(`Sign out now? ${text}`)) await confirmSignOut();
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
      {warning && (
        <Suspense>
          <SignOutDialog
            isBusy={isSigningOut}
            onClose={() => setWarning(null)}
            onConfirm={confirmSignOut}
            warning={warning}
          />
        </Suspense>
      )}
    </>
  );
}
