/** What the lists of the activity and of the notifications share. */
import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { Button, Skeleton, toastError } from '@/ui';

export function LoadEarlier({ load }: { load: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);

  async function loadPage() {
    setBusy(true);
    try {
      await load();
    } catch (failure) {
      toastError(describeError(failure));
    }
    setBusy(false);
  }

  return (
    <div className="mt-4 flex justify-center">
      <Button busy={busy} onClick={loadPage} variant="secondary">
        Show earlier
      </Button>
    </div>
  );
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div aria-label={label} className="card flex flex-col gap-4 p-5" role="status">
      {[1, 2, 3, 4].map((row) => (
        <div className="flex items-center gap-4" key={row}>
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
    </div>
  );
}
