import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { Button, toastError } from '@/ui';

/** A button below a list that loads its next page. */
export function LoadMore({ load }: { load: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);

  async function loadMore() {
    setBusy(true);
    try {
      await load();
    } catch (error) {
      toastError(describeError(error));
    }
    setBusy(false);
  }

  return (
    <div className="mt-6 text-center">
      <Button busy={busy} onClick={loadMore} variant="secondary">
        Show more
      </Button>
    </div>
  );
}
