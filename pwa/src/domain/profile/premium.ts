/** What Premium and the tiers of referrals add to a profile. */
import type { Me, PublicMember } from '@/api/types.ts';

export type ProfileThemeName = NonNullable<Me['profileTheme']>;
export type ProfileFrameName = NonNullable<Me['profileFrame']>;

/** The tiers with a badge, and the first one that is VIP. */
const badgeNames: Record<number, string> = { 2: 'Matchmaker', 3: 'Love Guru', 4: 'Romance Legend' };
const VIP_TIER = 3;

/** Returns the names of the badges that a tier earns; none below the second. */
export function tierBadges(tier: number): string[] {
  const name = badgeNames[tier];
  if (!name) return [];
  return tier >= VIP_TIER ? [name, 'VIP'] : [name];
}

/** Returns the names of the badges that others see of a member. */
export function premiumBadges({
  isPremium,
  badgeTier,
}: Pick<PublicMember, 'isPremium' | 'badgeTier'>): string[] {
  return [...(isPremium ? ['Premium'] : []), ...tierBadges(badgeTier)];
}

export type LookOption<Name> = {
  value: Name;
  label: string;
  /** The tier that it requires besides Premium; the server checks it. */
  tier?: number;
};

export const profileThemes: LookOption<ProfileThemeName>[] = [
  { value: 'rose', label: 'Rose' },
  { value: 'honey', label: 'Honey' },
  { value: 'meadow', label: 'Meadow' },
  { value: 'sky', label: 'Sky' },
  { value: 'dusk', label: 'Dusk' },
  { value: 'starlight', label: 'Starlight', tier: 4 },
];

export const profileFrames: LookOption<ProfileFrameName>[] = [
  { value: 'double', label: 'Double line', tier: 3 },
  { value: 'garland', label: 'Garland', tier: 4 },
];
