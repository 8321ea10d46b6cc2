import { useEffect, useState } from 'react';
import { lockedMember, wipeDevice } from '@/offline/device/wipe.ts';
import { findLockedUnsent, type Unsent } from '@/offline/outbox/unsent.ts';
import { listUnsent } from '@/offline/outbox/unsentWords.ts';
import { Button, ConfirmDialog } from '@/ui';

/**
 * The number of unsent items of a member whose session has expired on this device, without names or contents. Renders
 * nothing when everything was sent.
 */
export default function LockedNotice({ memberId }: { memberId: string }) {
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    findLockedUnsent(memberId).then(setUnsent, () => undefined);
  }, [memberId]);
  const summary = unsent && listUnsent(unsent);
  if (!summary || !lockedMember()) return null;

  async function remove() {
    await wipeDevice();
    setConfirming(false);
    setUnsent(null);
  }

  return (
    <section className="mb-6 rounded-card bg-raised p-4" aria-label="Waiting on this device">
      <p className="font-semibold">
        {summary.words} {summary.one ? 'is' : 'are'} waiting to be sent from this device.
      </p>
      <p className="mt-1 text-muted">
        Sign in to the same account to send {summary.one ? 'it' : 'them'}. Signing in to another account
        deletes what is waiting.
      </p>
      <Button className="mt-3" onClick={() => setConfirming(true)} size="sm" variant="secondary">
        Delete from this device
      </Button>
      {confirming && (
        <ConfirmDialog
          cancel="Keep"
          confirm="Delete"
          description={`${summary.words} will be gone. This cannot be undone.`}
          onClose={() => setConfirming(false)}
          onConfirm={remove}
          title="Delete what was not sent?"
        />
      )}
    </section>
  );
}
