import { Award, ChevronRight, Images } from 'lucide-react';
import { Link } from 'react-router';
import type { Me } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';

const links = [
  { to: paths.badges, label: 'Badges', icon: Award },
  { to: paths.moments, label: 'Shareable moments', icon: Images },
] as const;

/** Links from the member's own profile to the badges and moments. */
export function ProfileLinks({ me }: { me: Me }) {
  return (
    <ul className="card divide-y divide-line overflow-hidden">
      {links.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            className="flex min-h-14 flex-wrap items-center gap-3 px-5 py-2 font-medium -outline-offset-2 transition-colors hover:bg-raised"
            to={to}
            viewTransition
          >
            <Icon aria-hidden="true" className="size-5.5 shrink-0 text-ember" />
            <span className="wrap-break-word min-w-min flex-1">{label}</span>
            {to === paths.badges && me.counts.newBadges > 0 && (
              <span className="flex items-center gap-2 text-muted text-sm">
                New <span aria-hidden="true" className="size-2.5 rounded-full bg-danger" />
              </span>
            )}
            <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
