import {
  applyUpdate,
  canUpdate,
  onceUnblocked,
  onUpdateReady,
  openTappedNotifications,
  registerServiceWorker,
} from '@/offline/device/serviceWorker.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { Button, dismissToast, toast } from '@/ui';

const title = 'A new version of Heartward is ready';
const duration = Number.POSITIVE_INFINITY;

function offer(): void {
  const action = (
    <Button onClick={reload} size="sm">
      Reload
    </Button>
  );
  toast({ title, action, duration });
}

function reload(): void {
  dismissToast();
  if (canUpdate()) {
    void applyUpdate();
    return;
  }
  toast({ title, description: 'You can reload once your recording or upload is done.', duration });
  onceUnblocked(offer);
}

/**
 * Registers the service worker after the load event, the first one once the first screen is drawn: it fetches the whole
 * app, for which the screen's own data would wait. A new version is offered and never forced.
 */
export function startUpdates(navigate: (path: string) => void): void {
  onUpdateReady(offer);
  openTappedNotifications(navigate);
  const start = async () => {
    if (!navigator.serviceWorker?.controller) await whenIdle();
    await registerServiceWorker();
  };
  const startOnce = () => void start().catch(console.error);
  if (document.readyState === 'complete') startOnce();
  else addEventListener('load', startOnce, { once: true });
}
