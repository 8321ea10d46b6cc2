import type { ReferralStats, Tier } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';

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

/** Returns the address at which a friend signs up by this code. */
export function linkOf(code: string, origin: string): string {
  return origin + paths.invitation(code);
}

export const invitation =
  'Join me on Heartward: dating with intention, always free. We both get a week of Premium when your profile is complete.';

/** Returns the addresses that open a post with the invitation and the link. */
export function shareLinks(link: string): { name: string; href: string }[] {
  const url = encodeURIComponent(link);
  const text = encodeURIComponent(invitation);
  return [
    { name: 'WhatsApp', href: `https://wa.me/?text=${text}%20${url}` },
    { name: 'Twitter', href: `https://twitter.com/intent/tweet?text=${text}&url=${url}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}&quote=${text}` },
  ];
}
