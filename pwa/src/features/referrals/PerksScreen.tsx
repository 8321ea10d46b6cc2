import { BadgeCheck, HeartHandshake, Palette, Star } from 'lucide-react';
import { formatDate } from '@/base/format.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { ButtonLink, Screen } from '@/ui';
import { LookChooser } from './LookChooser.tsx';
import { useReferrals } from './referrals.ts';
import { TierList } from './TierList.tsx';

const perks = [
  {
    icon: Star,
    title: 'Six super likes a day',
    text: 'Instead of three. Likes stay the same for everybody.',
  },
  {
    icon: BadgeCheck,
    title: 'A Premium badge',
    text: 'Others see it on your card and your profile while Premium lasts. You can hide it in the privacy settings.',
  },
  {
    icon: Palette,
    title: 'A theme for your profile',
    text: 'Quiet colors for everyone who opens your profile.',
  },
  {
    icon: HeartHandshake,
    title: 'Nothing taken from others',
    text: 'Messages, matches and who likes you are free for everyone, always.',
  },
];

/** /perks: explains Premium, which is not for sale, and sets the theme of the member's profile. */
export default function PerksScreen() {
  const me = useMember();
  const stats = useReferrals(me.id).data?.stats;
  return (
    <Screen back={paths.profileTab('settings')} title="Premium" width="reading">
      <p className="max-w-prose text-lg">
        Nothing is for sale here. Premium is how we thank members who bring their friends: a week for each
        friend who joins and completes their profile, for you and for them, and months more with each tier.
      </p>
      {stats?.premiumUntil && (
        <p className="mt-4 rounded-card bg-marigold-soft p-4 font-semibold text-marigold-ink">
          {stats.isPremiumForLife
            ? 'Thank you. Your Premium lasts for life.'
            : `Thank you. Your Premium lasts until ${formatDate(stats.premiumUntil)}.`}
        </p>
      )}
      <ul className="mt-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-4">
        {perks.map(({ icon: Icon, title, text }) => (
          <li className="card p-5" key={title}>
            <Icon aria-hidden="true" className="size-7 text-ember" />
            <h2 className="mt-3 font-display font-semibold text-lg">{title}</h2>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
      <div className="mt-8">
        <ButtonLink to={paths.referrals}>Invite friends</ButtonLink>
      </div>
      <LookChooser reachedTier={stats?.reachedTier ?? 0} tiers={stats?.tiers ?? []} />
      {/* Last, so that nothing moves when it is loaded. */}
      {stats && <TierList stats={stats} />}
    </Screen>
  );
}
