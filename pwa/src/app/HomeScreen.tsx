import { type ReactNode, Suspense } from 'react';
import { DeckSkeleton, lazyWithRetry, Screen } from '@/ui';
import { Notices } from './Notices.tsx';

const load = () => import('@/features/discovery/ForYouScreen.tsx');
const ForYouScreen = lazyWithRetry(load);

/** Loads the deck's chunk while the session is checked. */
export function preloadHome(): void {
  load().catch(() => undefined);
}

/** The deck as a separate chunk, which signed-out visitors at / do not load. */
export function HomeScreen({ actions }: { actions?: ReactNode }) {
  const skeleton = (
    <Screen title="For You">
      <DeckSkeleton />
    </Screen>
  );
  return (
    <Suspense fallback={skeleton}>
      <ForYouScreen actions={actions} notice={<Notices />} />
    </Suspense>
  );
}
