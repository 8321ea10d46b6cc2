import { useState } from 'react';
import { Button, toastError } from '@/ui';

/** At the foot of a list that goes on. */
export function More({ load }: { load: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);

  async function go() {
    setBusy(true);
    try {
      await load();
    } catch (error) {
      toastError(error instanceof Error ? error.message : undefined);
    }
    setBusy(false);
  }

  return (
    <div className="mt-6 text-center">
      <Button busy={busy} onClick={go} variant="secondary">
        Show more
      </Button>
    </div>
  );
}
