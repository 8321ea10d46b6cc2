import { Suspense, useEffect } from 'react';
import { useParams } from 'react-router';
import { useMarkMatchSeen } from '@/features/matching/matches.ts';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';
import { whenIdle } from '@/offline/store/idle.ts';
import { lazyWithRetry } from '@/ui';
import { LazyConversation, preloadConversation } from './lazyConversation.ts';

const InstallOffer = lazyWithRetry(() => import('./InstallOffer.tsx'));

/** The conversations. Opening one marks its match as seen. */
export default function MessagesRoute() {
  const { id } = useParams();
  useMarkMatchSeen(id);
  useEffect(() => void whenIdle().then(preloadConversation), []);
  return (
    <MessagesScreen
      conversation={(open) => <LazyConversation {...open} />}
      notice={
        <Suspense fallback={null}>
          <InstallOffer />
        </Suspense>
      }
    />
  );
}
