import { Suspense, useState } from 'react';
import { Button, lazyWithRetry } from '@/ui';

const DeleteAccountDialog = lazyWithRetry(() => import('./DeleteAccountDialog.tsx'));

/** The button that opens the dialog about the deletion of the account. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex basis-full flex-wrap items-center justify-between gap-4 border-line border-t pt-4">
      <p className="min-w-[min(100%,12rem)] flex-1 text-muted">
        Deleting your account hides you at once. For 14 days you can still change your mind.
      </p>
      <Button onClick={() => setOpen(true)} variant="secondary">
        Delete my account
      </Button>
      {open && (
        <Suspense>
          <DeleteAccountDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
