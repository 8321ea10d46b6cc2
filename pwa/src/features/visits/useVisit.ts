import type { Me } from '@/api/types.ts';
import { formatEndDay } from '@/base/format.ts';
import { currentVisit } from '@/domain/profile/visit.ts';
import { useMember } from '@/session/session.ts';
import { useValueUntil } from '@/ui';

type Visit = NonNullable<Me['visit']>;

/** Returns the signed-in member's visit to another town; null without one, and from its end on. */
export function useVisit(): Visit | null {
  const { visit } = useMember();
  return useValueUntil(visit?.until ?? null, () => currentVisit(visit));
}

/** Returns "Looking in Lisbon until Sunday.", for the member's own screens. */
export const describeVisit = ({ city, until }: Visit, now = new Date()) =>
  `Looking in ${city} until ${formatEndDay(new Date(until), now)}.`;
