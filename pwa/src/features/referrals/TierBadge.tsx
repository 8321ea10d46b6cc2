import { useMember } from '@/session/session.ts';
import { Badge } from '@/ui';
import { progressOf } from './progress.ts';
import { useReferrals } from './referrals.ts';
import { toneOf } from './tones.ts';

/** The lowest tiers with a badge, and with a VIP badge. */
const BADGE_TIER = 2;
const VIP_TIER = 3;

/** The badges that the member's tier earns. */
export function TierBadge() {
  const stats = useReferrals(useMember().id).data?.stats;
  if (!stats || stats.currentTier < BADGE_TIER) return null;
  const { tier } = progressOf(stats);
  return (
    <>
      <Badge tone={toneOf(tier.level)}>{tier.name}</Badge>
      {tier.level >= VIP_TIER && <Badge tone="plum">VIP</Badge>}
    </>
  );
}
