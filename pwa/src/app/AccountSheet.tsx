import {
  Award,
  CalendarHeart,
  Gift,
  HeartHandshake,
  HeartPulse,
  Images,
  MessagesSquare,
  Settings,
  UserRound,
} from 'lucide-react';
import { Link } from 'react-router';
import type { Me } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { Avatar, Sheet } from '@/ui';

const links = [
  { to: paths.profile, label: 'Your profile', icon: UserRound },
  { to: paths.settings, label: 'Settings', icon: Settings },
  { to: paths.dates, label: 'Dates', icon: CalendarHeart },
  { to: paths.lovePulse, label: 'Love Pulse', icon: HeartPulse },
  { to: paths.community, label: 'Community', icon: MessagesSquare },
  { to: paths.badges, label: 'Badges', icon: Award },
  { to: paths.moments, label: 'Shareable moments', icon: Images },
  { to: paths.graduation, label: 'Graduation', icon: HeartHandshake },
  { to: paths.referrals, label: 'Invite friends', icon: Gift },
] as const;

/** The signed-in member, links to pages that are not in the bottom bar, and Sign Out. */
export default function AccountSheet({ me, onClose }: { me: Me; onClose: () => void }) {
  return (
    <Sheet
      description={
        <span className="flex items-center gap-3 pt-2 text-ink">
          <Avatar user={me} />
          <span className="min-w-0 truncate font-medium text-base" dir="auto">
            {me.fullName}
          </span>
        </span>
      }
      onClose={onClose}
      open
      title="Your account"
    >
      <ul className="mb-4">
        {links.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              className="flex min-h-12 items-center gap-4 rounded-control px-2 font-medium hover:bg-raised"
              onClick={onClose}
              to={to}
              viewTransition
            >
              <Icon aria-hidden="true" className="size-5.5 text-ember-strong" />
              {label}
              {to === paths.badges && me.counts.newBadges > 0 && (
                <span className="ms-auto flex items-center gap-2 text-muted text-sm">
                  New <span aria-hidden="true" className="size-2.5 rounded-full bg-danger" />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <SignOutButton />
    </Sheet>
  );
}
