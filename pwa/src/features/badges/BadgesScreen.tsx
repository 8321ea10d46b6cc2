import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Button, ErrorState, Screen, Skeleton } from '@/ui';
import { Achievements } from './Achievements.tsx';
import { BadgeArt } from './BadgeArt.tsx';
import { categories, closeBadge, isNew, type ListedBadge, listBadges, useBadgeList } from './badges.ts';
import { CategoryCard } from './CategoryCard.tsx';

/** A celebration for the app's queue. */
export type BadgeCelebration = {
  id: string;
  picture: ReactNode;
  title: string;
  text: string;
  /** Whether it is still to be shown, when its turn comes and while it is. */
  isCurrent: () => Promise<boolean>;
  onClose: () => void;
};

type BadgesScreenProps = { celebrate: (celebration: BadgeCelebration) => void };

/** /badges: all badges with the member's progress. The celebrations of new badges wait for this screen. */
export function BadgesScreen({ celebrate }: BadgesScreenProps) {
  const { data, state, error, refresh } = useBadgeList(useMember().id);
  return (
    <Screen back={paths.profile} title="Badges" width="wide">
      {data ? (
        <Content badges={listBadges(data)} celebrate={celebrate} />
      ) : state === 'error' ? (
        <ErrorState onRetry={refresh} text={describeLoadError(error)} title="We could not load your badges" />
      ) : (
        <div aria-label="Loading your badges" className="grid gap-4 lg:grid-cols-2" role="status">
          <Skeleton className="h-32 rounded-card lg:col-span-2" />
          {categories.map(({ key }) => (
            <Skeleton className="h-80 rounded-card" key={key} />
          ))}
        </div>
      )}
    </Screen>
  );
}

type ContentProps = BadgesScreenProps & { badges: ListedBadge[] };

function Content({ badges, celebrate }: ContentProps) {
  useCelebrations(badges, celebrate);
  return (
    <div className="flex flex-col gap-4 pb-6">
      <Achievements badges={badges} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {categories.map(({ key, title, text }) => (
          <CategoryCard
            badges={badges.filter(({ category }) => category === key)}
            key={key}
            text={text}
            title={title}
          />
        ))}
      </div>
      <Simulation badges={badges} celebrate={celebrate} />
    </div>
  );
}

const pictureOf = (badge: ListedBadge) => <BadgeArt badge={badge} size="xl" />;

/** Queues the celebrations of new badges. Closing one marks the badge as notified. */
function useCelebrations(badges: ListedBadge[], celebrate: BadgesScreenProps['celebrate']): void {
  const db = useDb();
  const queue = useEffectEvent(celebrate);
  useEffect(() => {
    for (const badge of badges) {
      if (!badge.earned || badge.earned.notified) continue;
      queue({
        id: `badge:${badge.earned.id}`,
        picture: pictureOf(badge),
        title: badge.name,
        text: `You earned a badge! ${badge.description}`,
        // Another device may have closed it meanwhile.
        isCurrent: () => isNew(db, badge.id),
        onClose: () => void closeBadge(db, badge.id).catch(console.warn),
      });
    }
  }, [badges, db]);
}

/** Plays a celebration without a badge. */
function Simulation({ badges, celebrate }: ContentProps) {
  const next = badges.find(({ earned }) => !earned) ?? badges[0];
  if (!next) return null;
  const simulate = (badge: ListedBadge) =>
    celebrate({
      id: `simulated:${crypto.randomUUID()}`,
      picture: pictureOf(badge),
      title: badge.name,
      text: 'This is only a preview. It awards nothing.',
      isCurrent: async () => true,
      onClose: () => undefined,
    });
  return (
    <section className="card flex flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0 flex-[1_1_16rem]">
        <h2 className="font-display font-semibold text-lg">Curious?</h2>
        <p className="mt-1 text-muted">See what earning a badge looks like. This awards nothing.</p>
      </div>
      <Button onClick={() => simulate(next)} variant="secondary">
        Simulate Badge Earn
      </Button>
    </section>
  );
}
