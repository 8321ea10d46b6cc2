import { useMember } from '@/session/session.ts';
import { Badge } from '@/ui';
import { progressOf } from './progress.ts';
import { useReferrals } from './referrals.ts';
import { toneOf } from './tones.ts';

/** From this tier on, a badge is part of the reward; from the next on, it says VIP. */
const badgeFrom = 2;
const vipFrom = 3;

/** What the tier's name and standing add to the member's badges. */
export function TierBadge() {
  const stats = useReferrals(useMember().id).data?.stats;
  if (!stats || stats.currentTier < badgeFrom) return null;
  const { tier } = progressOf(stats);
  return (
    <>
      <Badge tone={toneOf(tier.level)}>{tier.name}</Badge>
      {tier.level >= vipFrom && <Badge tone="plum">VIP</Badge>}
    </>
  );
}
