import { Check } from 'lucide-react';
import type { ReferralStats } from '@/api/types.ts';

/** What the reward of a tier is, besides the months of Premium that its name tells. */
const details: Record<number, string> = {
  0: 'A week of Premium for you and for each friend who completes their profile.',
  2: 'The Matchmaker badge on your profile.',
  3: 'The Love Guru and VIP badges, and the frame “Double line” for your first photo.',
  4: 'The Romance Legend badge, the theme “Starlight” and the frame “Garland”.',
};

/** All tiers with what they give. Badges stay when Premium ends. */
export function TierList({ stats }: { stats: ReferralStats }) {
  return (
    <section className="card mt-6 p-5">
      <h2 className="font-display font-semibold text-lg">What each tier gives</h2>
      <ol className="mt-2 divide-y divide-line">
        {stats.tiers.map(({ level, name, minReferrals, reward }) => (
          <li className="flex gap-3 py-3" key={level}>
            <Check
              aria-hidden="true"
              className={
                level <= stats.reachedTier ? 'mt-0.5 size-5 shrink-0 text-sage' : 'invisible size-5 shrink-0'
              }
            />
            <div className="min-w-0">
              <h3 className="font-medium">
                {name}
                {level <= stats.reachedTier && <span className="sr-only"> (reached)</span>}
              </h3>
              <p className="text-muted text-sm">
                {minReferrals > 0 && `${minReferrals} friends: `}
                {reward}
              </p>
              {details[level] && <p className="text-muted text-sm">{details[level]}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-muted text-sm">
        Badges stay when Premium ends. Themes and frames show again when it returns.
      </p>
    </section>
  );
}
