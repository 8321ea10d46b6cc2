import { BadgeArt } from './BadgeArt.tsx';
import type { ListedBadge } from './badges.ts';

/** The badges that are announced above the lists. */
const teased = ['vibe_champion', 'referral_rockstar'];

/** The header with the number of earned badges, the newest of them, and two that are worth a try. */
export function Achievements({ badges }: { badges: ListedBadge[] }) {
  const earned = badges
    .filter((badge) => badge.earned)
    .sort((a, b) => (b.earned?.awardedAt ?? '').localeCompare(a.earned?.awardedAt ?? ''));
  const teasers = badges.filter((badge) => teased.includes(badge.iconKey) && !badge.earned);
  return (
    <section aria-label="Your Achievements" className="card p-[20px] md:p-[24px]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-display font-semibold text-xl">Your Achievements</h2>
        <p className="font-semibold tabular-nums">
          {earned.length}/{badges.length} <span className="sr-only">badges</span> earned
        </p>
      </div>
      <p className="mt-1 text-muted">Small marks of what you have done here. Earned once, they stay.</p>
      {earned.length > 0 && (
        <ul
          aria-label="Your newest badges"
          className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-3"
        >
          {earned.slice(0, 5).map((badge) => (
            <li className="flex items-center gap-2" key={badge.id}>
              <BadgeArt badge={badge} size="sm" />
              <span className="font-medium text-sm">{badge.name}</span>
            </li>
          ))}
        </ul>
      )}
      {teasers.length > 0 && (
        <ul
          aria-label="Worth a try"
          className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-3"
        >
          {teasers.map((badge) => (
            <li className="flex flex-wrap items-center gap-3 rounded-control bg-raised p-3" key={badge.id}>
              <BadgeArt badge={badge} size="sm" />
              <div className="min-w-0 flex-[1_1_9rem]">
                <p className="font-semibold">{badge.name}</p>
                <p className="text-muted text-sm">{badge.requirements}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
