import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog } from '@/ui';
import { signOut, unsentCount } from './session.ts';

/** The device's database did not answer: better to ask once too often. */
const unknown = -1;

function waitingText(unsent: number): string {
  if (unsent === unknown) return 'We cannot see whether everything you wrote has been sent.';
  return unsent === 1
    ? 'One thing you wrote has not been sent yet.'
    : `${unsent} things you wrote have not been sent yet.`;
}

/** Signs out; asks first when something written here has not been sent yet. */
export function SignOutButton({ compact = false }: { compact?: boolean }) {
  const [unsent, setUnsent] = useState(0);
  const [busy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    await signOut();
  }

  async function ask() {
    const waiting = await unsentCount().catch(() => unknown);
    if (waiting !== 0) setUnsent(waiting);
    else await leave();
  }

  return (
    <>
      <Button
        busy={busy}
        onClick={ask}
        size={compact ? 'sm' : 'md'}
        variant={compact ? 'ghost' : 'secondary'}
      >
        {!busy && <LogOut aria-hidden="true" className="size-4.5" strokeWidth={1.75} />}
        Sign Out
      </Button>
      <Dialog
        actions={
          <>
            <Button onClick={() => setUnsent(0)} variant="secondary">
              Stay
            </Button>
            <Button busy={busy} onClick={leave} variant="danger">
              Sign out and discard
            </Button>
          </>
        }
        description={`${waitingText(unsent)} Signing out removes everything from this device.`}
        onClose={() => setUnsent(0)}
        open={unsent !== 0}
        title="Sign out now?"
      />
    </>
  );
}
