import { tierBadges } from '@/domain/profile/premium.ts';
import { useMember } from '@/session/session.ts';
import { Badge } from '@/ui';
import { useReferrals } from './referrals.ts';
import { toneOf } from './tones.ts';

/** The badges that the tiers earn which the member has reached. */
export function TierBadge() {
  const stats = useReferrals(useMember().id).data?.stats;
  if (!stats) return null;
  return tierBadges(stats.reachedTier).map((name) => (
    <Badge key={name} tone={name === 'VIP' ? 'plum' : toneOf(stats.reachedTier)}>
      {name}
    </Badge>
  ));
}
