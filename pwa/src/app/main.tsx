import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { reloadWhenOutdated } from '@/offline/device/serviceWorker.ts';
import { reloadIfMemberChanged, signOutWithOtherTabs } from '@/offline/device/wipe.ts';
import { Toaster, trackNavigations } from '@/ui';
import '@/ui/app.css';
import { storeInvitation } from '@/session/invitation.ts';
import { queryClient } from '@/session/query.ts';
import { deferInstallPrompt } from './installPrompt.ts';
import { routes } from './routes.tsx';
import { allowOwnWorker, reloadOnMissingChunk, yieldToBrowserTransitions } from './start.ts';
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

const router = createBrowserRouter(routes);
trackNavigations(router);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);

startUpdates((path) => void router.navigate(path));
