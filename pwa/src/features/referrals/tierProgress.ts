import type { ReferralStats, Tier } from '@/api/types.ts';

export type Progress = {
  tier: Tier;
  /** Null at the top tier. */
  next: Tier | null;
  completed: number;
  /** 0 to 100; 100 at the top tier. */
  percent: number;
};

/** Returns the progress from the current tier to the next. */
export function progressOf({ currentTier, completedReferrals: completed, tiers }: ReferralStats): Progress {
  const tier = tiers.find(({ level }) => level === currentTier) ?? tiers[0];
  if (!tier) throw new Error('the server named no tiers');
  const next = tiers.find(({ level }) => level === tier.level + 1) ?? null;
  const percent = next ? Math.min(100, (completed / next.minReferrals) * 100) : 100;
  return { tier, next, completed, percent };
}
