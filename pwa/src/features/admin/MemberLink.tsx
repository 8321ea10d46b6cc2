import { Link } from 'react-router';
import type { QueuedReport } from '@/api/types.ts';
import { adminPath } from '@/session/adminPaths.ts';
import { describeMember } from './adminLabels.ts';

/** The name, age and town of a member, with a link to their page unless the account was deleted. */
export function MemberLink({ member }: { member: QueuedReport['reporter'] }) {
  if (!member) return describeMember(member);
  return (
    <Link
      className="inline-flex min-h-6 items-center font-semibold text-ember-strong"
      to={adminPath('users', member.id)}
    >
      {describeMember(member)}
    </Link>
  );
}
