import { NavLink } from 'react-router';
import { useLive } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { CountBadge, cn } from '@/ui';
import { readLikes } from './likes.ts';

const tabs = [
  { to: paths.matches, label: 'Matches' },
  { to: paths.likes, label: 'Likes you' },
  { to: paths.passed, label: 'Passed' },
] as const;

/** Links between matches, received likes and passes. */
export function MatchesNav() {
  const likes = useLive(readLikes);
  const { count, more } = likes?.total ?? { count: 0, more: false };
  return (
    <nav aria-label="Matches and likes" className="mb-5 flex flex-wrap gap-1 rounded-control bg-raised p-1">
      {tabs.map(({ to, label }) => (
        <NavLink
          className={({ isActive }) =>
            cn(
              'flex min-h-11 flex-auto items-center justify-center gap-2 whitespace-nowrap rounded-[calc(var(--r-control)-4px)] px-1.5 text-center sm:flex-1 font-semibold text-sm transition-colors',
              isActive ? 'bg-surface text-ink' : 'text-muted hover:text-ink',
            )
          }
          end
          key={to}
          to={to}
          viewTransition
        >
          {label}
          {to === paths.likes && count > 0 && (
            <>
              <CountBadge count={count} />
              <span className="sr-only">{more ? `(more than ${count})` : `(${count})`}</span>
            </>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
