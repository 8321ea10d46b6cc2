import {
  applyUpdate,
  canUpdate,
  followNotifications,
  onUpdateReady,
  registerServiceWorker,
} from '@/offline/serviceWorker.ts';
import { Button, dismissToast, toast } from '@/ui';

const askAgainMs = 60_000;

function offer(): void {
  // Someone writes or uploads: not now.
  if (!canUpdate()) {
    setTimeout(offer, askAgainMs);
    return;
  }
  const reload = () => {
    dismissToast();
    applyUpdate();
  };
  toast({
    title: 'A new version of Heartward is ready',
    action: (
      <Button onClick={reload} size="sm">
        Reload
      </Button>
    ),
    duration: Number.POSITIVE_INFINITY,
  });
}

/** Registers the worker once the page has loaded; a new version is offered, never forced. */
export function startUpdates(navigate: (path: string) => void): void {
  onUpdateReady(offer);
  followNotifications(navigate);
  const start = () => void registerServiceWorker().catch(console.error);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
