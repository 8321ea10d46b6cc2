import { useState } from 'react';
import { clearSiteData } from '@/offline/device/wipe.ts';
import type { StorageFailure } from '@/offline/store/failure.ts';
import { Button, ConfirmDialog, EmptyState, useAction } from '@/ui';

const texts: Record<StorageFailure, string> = {
  refused:
    "This browser couldn't open what it stores for Heartward. The device may be full, or its settings may block it.",
  pending:
    "This browser doesn't answer when Heartward opens its storage. Other tabs may be holding it: close them.",
};

/** Shown in place of the app while the member's database on this device cannot be opened. */
export default function StorageScreen({ failure }: { failure: StorageFailure }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [clear, { isBusy }] = useAction(async () => {
    await clearSiteData();
    location.reload();
  });
  return (
    <main className="grid min-h-dvh place-items-center" role="alert">
      <EmptyState
        action={
          <div className="flex flex-col gap-3">
            <Button onClick={() => location.reload()}>Try again</Button>
            <Button onClick={() => setIsConfirming(true)} variant="secondary">
              Clear this site's data
            </Button>
          </div>
        }
        art="cloud"
        text={`${texts[failure]} Your account and everything you sent are safe on our server.`}
        title="Your device's storage can't be opened"
      />
      {isConfirming && (
        <ConfirmDialog
          busy={isBusy}
          cancel="Keep it"
          confirm="Clear"
          description="What you wrote on this device and have not sent yet will be gone. Everything else loads again."
          onClose={() => setIsConfirming(false)}
          onConfirm={() => void clear()}
          title="Clear this site's data?"
        />
      )}
    </main>
  );
}
