import { type LucideIcon, MapPin, Speech } from 'lucide-react';
import type { MemberCard, PublicMember } from '@/api/types.ts';
import { wordsOf } from './words.ts';

/** A line with an icon. The label, if any, is for screen readers. */
export type FactLine = { icon: LucideIcon; text: string; label?: string };

export const townFact = {
  icon: MapPin,
  text: ({ city, state }: Pick<PublicMember, 'city' | 'state'>) => [city, state].filter(Boolean).join(', '),
};

/** Returns the facts on a deck card, which has one line for them: the town and the pronouns. */
export function cardFactsOf(member: MemberCard): FactLine[] {
  return [
    { icon: townFact.icon, text: townFact.text(member) },
    { icon: Speech, text: wordsOf(member, 'pronouns').join(', '), label: 'Pronouns' },
  ].filter(({ text }) => text !== '');
}
