import type { ReactNode } from 'react';
import { DeckSkeleton, lazyWithRetry, Screen, useLoaded } from '@/ui';
import { Notices } from './Notices.tsx';
import { PeopleGate } from './PeopleGate.tsx';

const ForYouScreen = lazyWithRetry(() => import('@/features/discovery/ForYouScreen.tsx'));

/** Loads the deck's chunk while the session is checked. */
export const preloadHome = ForYouScreen.preload;

/** The deck as a separate chunk, which signed-out visitors at / do not load. */
export function HomeScreen({ actions }: { actions?: ReactNode }) {
  if (useLoaded(ForYouScreen))
    return (
      <PeopleGate>
        <ForYouScreen actions={actions} notice={<Notices />} />
      </PeopleGate>
    );
  return (
    <Screen title="For You">
      <DeckSkeleton />
    </Screen>
  );
}
