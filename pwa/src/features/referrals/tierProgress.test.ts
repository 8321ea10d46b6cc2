import { describe, expect, it } from 'vitest';
import type { ReferralStats } from '@/api/types.ts';
import { progressOf } from './tierProgress.ts';

const tiers = [
  { level: 0, name: "Cupid's Helper", minReferrals: 0, reward: 'Welcome bonus' },
  { level: 1, name: 'Love Ambassador', minReferrals: 3, reward: 'Premium features for 1 month' },
  { level: 2, name: 'Matchmaker', minReferrals: 10, reward: 'Exclusive badge + 3 months premium' },
];

function stats(currentTier: number, completedReferrals: number): ReferralStats {
  return {
    totalReferrals: completedReferrals,
    completedReferrals,
    pendingReferrals: 0,
    currentTier,
    reachedTier: currentTier,
    tiers,
    premiumUntil: null,
    isPremiumForLife: false,
  };
}

describe('progressOf', () => {
  it.each([
    [0, 0, "Cupid's Helper", 'Love Ambassador', 0],
    [0, 2, "Cupid's Helper", 'Love Ambassador', 66.7],
    [1, 3, 'Love Ambassador', 'Matchmaker', 30],
    [1, 12, 'Love Ambassador', 'Matchmaker', 100],
  ])('at tier %i with %i completed', (level, completed, tier, next, percent) => {
    const progress = progressOf(stats(level, completed));
    expect(progress.tier.name).toBe(tier);
    expect(progress.next?.name).toBe(next);
    expect(progress.percent).toBeCloseTo(percent, 1);
  });

  it('is 100 percent at the top tier, without a next one', () => {
    expect(progressOf(stats(2, 40))).toMatchObject({ next: null, percent: 100, completed: 40 });
  });
});
