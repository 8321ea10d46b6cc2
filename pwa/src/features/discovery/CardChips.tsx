import type { Candidate } from '@/api/types.ts';
import { Badge } from '@/ui';

type CardChipsProps = { member: Candidate; className?: string };

/** "Active today" and "New here", where they apply. */
export function CardChips({ member, className }: CardChipsProps) {
  return (
    <>
      {member.activeToday && (
        <Badge className={className} tone="sage">
          <span aria-hidden="true" className="size-2 rounded-full bg-current" />
          Active today
        </Badge>
      )}
      {member.isNew && (
        <Badge className={className} tone="marigold">
          New here
        </Badge>
      )}
    </>
  );
}
