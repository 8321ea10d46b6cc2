import type { PublicMember } from '@/api/types.ts';

type Visit = PublicMember['visit'];

/** Returns the visit, or null if it has ended: the stored profile may be older. */
export function currentVisit(visit: Visit | undefined, now = Date.now()): Visit {
  return visit && Date.parse(visit.until) > now ? visit : null;
}

/** Returns "Visiting Lisbon this week" for a member with a visit, else "". */
export function visitText(member: Pick<PublicMember, 'visit'>, now = Date.now()): string {
  const visit = currentVisit(member.visit, now);
  return visit ? `Visiting ${visit.city} this week` : '';
}
