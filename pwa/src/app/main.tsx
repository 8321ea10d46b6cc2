import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { reloadWhenOutdated } from '@/offline/device/serviceWorker.ts';
import { reloadIfMemberChanged, signOutWithOtherTabs } from '@/offline/device/wipe.ts';
import { iconStroke, refuseLongInput, Toaster, trackNavigations } from '@/ui';
import '@/ui/app.css';
import { keepsNothing } from '@/base/storage.ts';
import { storeInvitation } from '@/session/invitation.ts';
import { queryClient } from '@/session/query.ts';
import { deferInstallPrompt } from './installPrompt.ts';
import {
  allowOwnWorker,
  ignoreSkippedTransitions,
  reloadOnMissingChunk,
  yieldToBrowserTransitions,
} from './pageStart.ts';
import { createAppRouter } from './router.ts';
import { routes } from './routes.tsx';
import { startTheme } from './theme.ts';
import { startUpdates } from './updates.tsx';

startTheme();
deferInstallPrompt();
storeInvitation();
allowOwnWorker();
signOutWithOtherTabs();
reloadIfMemberChanged();
reloadWhenOutdated();
reloadOnMissingChunk();
yieldToBrowserTransitions();
ignoreSkippedTransitions();
refuseLongInput();

// In a task of its own, because evaluating the bundle has blocked a slow phone long enough.
setTimeout(async () => {
  // Without it the app starts too, and stores nothing.
  if (keepsNothing())
    await import('@/offline/store/memory.ts').then(({ startMemory }) => startMemory()).catch(() => undefined);
  const router = createAppRouter(routes);
  trackNavigations(router);

  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const app = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LucideProvider strokeWidth={iconStroke}>
          <RouterProvider router={router} />
          <Toaster />
        </LucideProvider>
      </QueryClientProvider>
    </StrictMode>
  );
  // In a transition React draws in slices of a few milliseconds, between which the page answers to touches.
  startTransition(() => createRoot(root).render(app));

  startUpdates((path) => void router.navigate(path));
});
