import { Suspense, useEffect } from 'react';
import { useParams } from 'react-router';
import { useMarkMatchSeen } from '@/features/matching/matches.ts';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';
import { whenIdle } from '@/offline/store/idle.ts';
import { lazyWithRetry } from '@/ui';

const InstallOffer = lazyWithRetry(() => import('./InstallOffer.tsx'));
const loadPane = () => import('./ConversationPane.tsx');
// A chunk of its own, because the list does not need it.
const ConversationPane = lazyWithRetry(loadPane);

async function preloadPane(): Promise<void> {
  await whenIdle();
  await loadPane().catch(() => undefined);
}

/** The conversations. Opening one marks its match as seen. */
export default function MessagesRoute() {
  const { id } = useParams();
  useMarkMatchSeen(id);
  useEffect(() => void preloadPane(), []);
  return (
    <MessagesScreen
      conversation={(open) => <ConversationPane {...open} />}
      notice={
        <Suspense fallback={null}>
          <InstallOffer />
        </Suspense>
      }
    />
  );
}
