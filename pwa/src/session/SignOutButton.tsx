import { LogOut } from 'lucide-react';
import { useState } from 'react';
import type { Unsent } from '@/offline/outbox/unsent.ts';
import { nameUnsent } from '@/offline/outbox/unsentWords.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { Button, ConfirmDialog } from '@/ui';
import { signOut } from './session.ts';

/** How long to wait for the device's database. */
const FIND_UNSENT_TIMEOUT_MS = 2000;

/** Resolves with null when the database does not answer in time. */
async function findLost(): Promise<Unsent | null> {
  const found = import('@/offline/outbox/unsent.ts').then(({ findUnsent }) => findUnsent());
  return (await withTimeout(found, FIND_UNSENT_TIMEOUT_MS)) ?? null;
}

/** "1 recording and 2 messages have not been sent yet."; empty when nothing would be lost. */
function lostInWords(lost: Unsent | null): string {
  if (!lost) return 'We cannot see whether everything you wrote has been sent.';
  const named = nameUnsent(lost);
  return named ? `${named.words} ${named.one ? 'has' : 'have'} not been sent yet.` : '';
}

/** Signs out; asks first when something written here has not been sent yet. */
export function SignOutButton({ compact = false }: { compact?: boolean }) {
  const [lost, setLost] = useState('');
  const [busy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    await signOut();
  }

  async function ask() {
    // Busy from here on: a second press during the search would sign out twice.
    setBusy(true);
    const words = lostInWords(await findLost());
    if (!words) return leave();
    setBusy(false);
    setLost(words);
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
      {lost && (
        <ConfirmDialog
          busy={busy}
          cancel="Stay"
          confirm="Sign out and discard"
          description={`${lost} Signing out removes everything from this device.`}
          onClose={() => setLost('')}
          onConfirm={leave}
          title="Sign out now?"
        />
      )}
    </>
  );
}
