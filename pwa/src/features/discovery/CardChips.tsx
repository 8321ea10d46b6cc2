import type { Candidate } from '@/api/types.ts';
import { visitText } from '@/domain/profile/visit.ts';
import { Badge } from '@/ui';

type CardChipsProps = {
  member: Candidate;
  /** Whether a request to the member waits for an answer. */
  isRequested: boolean;
  className?: string;
};

/** "Request sent", "Recently active", "New here", "Visiting Lisbon this week" and "Premium", where they apply. */
export function CardChips({ member, isRequested, className }: CardChipsProps) {
  const visit = visitText(member);
  return (
    <>
      {isRequested && (
        <Badge className={className} tone="plum">
          Request sent
        </Badge>
      )}
      {member.activeToday && (
        <Badge className={className} tone="sage">
          <span aria-hidden="true" className="size-2 rounded-full bg-current" />
          Recently active
        </Badge>
      )}
      {member.isNew && (
        <Badge className={className} tone="marigold">
          New here
        </Badge>
      )}
      {visit && (
        <Badge className={className} tone="plum">
          {visit}
        </Badge>
      )}
      {member.isPremium && (
        <Badge className={className} tone="marigold">
          Premium
        </Badge>
      )}
    </>
  );
}
