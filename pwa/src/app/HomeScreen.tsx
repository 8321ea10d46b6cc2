import { Suspense } from 'react';
import { DeckSkeleton, lazyWithRetry, Screen } from '@/ui';
import { PauseNotice } from './PauseNotice.tsx';

const load = () => import('@/features/discovery/ForYouScreen.tsx');
const ForYouScreen = lazyWithRetry(load);

/** Loads the deck's chunk while the session is checked. */
export function preloadHome(): void {
  load().catch(() => undefined);
}

/** The deck as a separate chunk, which signed-out visitors at / do not load. */
export function HomeScreen() {
  return (
    <Suspense fallback={<HomeSkeleton />}>
      <ForYouScreen notice={<PauseNotice />} />
    </Suspense>
  );
}

function HomeSkeleton() {
  return (
    <Screen title="For You">
      <DeckSkeleton />
    </Screen>
  );
}
