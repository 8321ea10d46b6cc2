import { Bell, Compass, Heart, MessageCircle, Settings, Sparkles, UserRound } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, NavLink, Outlet, useMatch, useNavigation } from 'react-router';
import type { Me } from '@/api/types.ts';
import { whenDrawn } from '@/offline/store/idle.ts';
import { paths, routePatterns } from '@/session/paths.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { Avatar, CountBadge, cn, Logo, lazyWithRetry, ScreenMenu, useLoaded } from '@/ui';
import { AccountMenu } from './AccountMenu.tsx';
import { MenuHost } from './MenuHost.tsx';
import { type Badges, useBadges } from './navBadges.ts';

const Background = lazyWithRetry(() => import('./Background.tsx'));

const destinations = [
  { to: paths.home, label: 'For You', icon: Sparkles, exact: true },
  { to: paths.discover, label: 'Discover', icon: Compass },
  { to: paths.matches, label: 'Matches', icon: Heart, badge: 'matches', unit: 'new' },
  { to: paths.messages, label: 'Messages', icon: MessageCircle, badge: 'messages', unit: 'unread' },
  // Exact, because other members' pages are below /profile.
  { to: paths.profile, label: 'Profile', icon: UserRound, exact: true },
] as const;

type Destination = (typeof destinations)[number];

type NavPartProps = { destination: Destination; badges: Badges; className?: string };

function NavCount({ destination, badges, className }: NavPartProps) {
  if (destination.to === paths.profile && badges.profile)
    return <span className={cn('size-2.5 rounded-full bg-danger', className)} />;
  if (!('badge' in destination)) return null;
  return <CountBadge className={className} count={badges[destination.badge]} />;
}

/** The label of a destination, and its count for screen readers. */
function NavLabel({ destination, badges, className }: NavPartProps) {
  const count = 'badge' in destination ? badges[destination.badge] : 0;
  return (
    <span className={className}>
      {destination.label}
      {'unit' in destination && count > 0 && (
        <span className="sr-only">
          ({count} {destination.unit})
        </span>
      )}
    </span>
  );
}

/** The layout of every screen of a signed-in member, with navigation and background tasks. */
export function Shell({ me }: { me: Me }) {
  const painted = usePainted();
  const menu = useMemo(
    () => (
      <>
        <NotificationsLink className="md:hidden" />
        <AccountMenu me={me} />
      </>
    ),
    [me],
  );
  const isNavigating = useNavigation().state === 'loading';
  return (
    <div className="flex min-h-dvh flex-col pb-[calc(var(--tab-bar)+env(safe-area-inset-bottom)+var(--offline-strip,0px))] md:pb-[var(--offline-strip,0px)]">
      <a
        className="sr-only z-50 rounded-control bg-surface px-4 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:inset-s-2"
        href="#main"
      >
        Skip to content
      </a>
      <TopNavigation me={me} />
      {painted && <LoadedBackground />}
      <div
        aria-busy={isNavigating}
        className={cn(
          'flex min-h-0 flex-1 flex-col transition-opacity duration-200',
          isNavigating && 'opacity-60',
        )}
      >
        <ScreenMenu value={menu}>
          <Outlet />
        </ScreenMenu>
      </div>
      <BottomBar />
      <MenuHost />
    </div>
  );
}

/** The bell, in the header of first-level pages on a phone and in the desktop's navigation. */
function NotificationsLink({ className }: { className?: string }) {
  const { notifications } = useBadges();
  const count = notifications > 99 ? '99+' : notifications;
  return (
    <Link
      aria-label={notifications > 0 ? `Notifications, ${count} unread` : 'Notifications'}
      className={cn(
        'relative inline-grid size-[44px] shrink-0 place-items-center rounded-full hover:bg-raised',
        className,
      )}
      title="Notifications"
      to={paths.notifications}
      viewTransition
    >
      <Bell aria-hidden="true" className="size-[22px]" />
      <CountBadge className="absolute top-0 inset-s-[calc(50%+1px)]" count={notifications} />
    </Link>
  );
}

const LoadedBackground = () => (useLoaded(Background) ? <Background /> : null);

/** How long the background tasks wait for the screen's own data. The outbox is one of them, and must not wait long. */
const MAX_WAIT_MS = 500;

/** Returns true when the first screen has been drawn, at the latest half a second after the first frame. */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const start = () => void whenDrawn(MAX_WAIT_MS).then(() => setPainted(true));
    const frame = requestAnimationFrame(() => setTimeout(start));
    return () => cancelAnimationFrame(frame);
  }, []);
  return painted;
}

function TopNavigation({ me }: { me: Me }) {
  const badges = useBadges();
  return (
    <div className="hw-topnav sticky top-0 z-30 hidden border-line border-b bg-paper md:block">
      <div className="@container mx-auto flex h-16 max-w-[1152px] items-center short:h-12 gap-[8px] px-safe">
        <Link
          className="me-[8px] flex min-h-11 min-w-[44px] items-center justify-center gap-[8px] font-display font-semibold text-[min(1.25rem,24px)]"
          to={paths.home}
          viewTransition
        >
          <Logo className="size-[32px]" />
          <span className="sr-only lg:not-sr-only">Heartward</span>
        </Link>
        <nav aria-label="Main" className="flex min-w-0 flex-auto items-center gap-[2px] lg:gap-[4px]">
          {destinations.map((destination) => (
            <NavLink
              className={({ isActive }) =>
                cn(
                  // Large text grows as far as the five labels have room.
                  'flex min-h-11 min-w-0 items-center gap-1 rounded-control px-[6px] font-semibold text-[min(0.875rem,1.85vw)] transition-colors lg:gap-[8px] lg:px-[12px] lg:text-[min(0.875rem,1.4vw,20px)] xl:px-[16px]',
                  isActive ? 'bg-ember-soft text-ember-strong' : 'text-muted hover:bg-raised hover:text-ink',
                )
              }
              end={'exact' in destination}
              key={destination.to}
              to={destination.to}
              viewTransition
            >
              <NavLabel badges={badges} className="truncate" destination={destination} />
              <NavCount badges={badges} destination={destination} />
            </NavLink>
          ))}
        </nav>
        <span className="hidden min-w-0 shrink-[9999] items-center gap-2 lg:flex">
          <Avatar size="sm" user={me} />
          <span className="hidden max-w-40 truncate font-medium text-sm xl:@min-[60rem]:block" dir="auto">
            {me.fullName}
          </span>
        </span>
        <NotificationsLink />
        <Link
          aria-label="Settings"
          className="inline-grid size-[44px] shrink-0 place-items-center rounded-full hover:bg-raised"
          title="Settings"
          to={paths.settings}
          viewTransition
        >
          <Settings aria-hidden="true" className="size-[22px]" />
        </Link>
        <SignOutButton place="navigation" />
      </div>
    </div>
  );
}

function BottomBar() {
  const badges = useBadges();
  // On a phone an open conversation covers the bar.
  const covered = useMatch(routePatterns.conversation) !== null;
  return (
    <nav
      aria-label="Main"
      className="hw-bottombar fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface pb-safe md:hidden"
      inert={covered}
    >
      <ul className="mx-auto grid h-(--tab-bar) max-w-md grid-cols-5">
        {destinations.map((destination) => (
          <li className="min-w-0" key={destination.to}>
            <NavLink
              className={({ isActive }) =>
                cn(
                  // Labels grow with the text up to the width of a fifth of the bar.
                  'flex h-full flex-col items-center justify-center gap-0.5 text-center font-medium text-[min(0.75rem,4.2vw)] leading-4 transition-colors',
                  isActive ? 'text-ember-strong' : 'text-muted',
                )
              }
              end={'exact' in destination}
              to={destination.to}
              viewTransition
            >
              {({ isActive }) => (
                <>
                  <span
                    className={cn(
                      'relative grid h-[28px] w-[56px] max-w-full place-items-center rounded-full transition-colors',
                      isActive && 'bg-ember-soft',
                    )}
                  >
                    <destination.icon aria-hidden="true" className="size-[22px]" />
                    <NavCount
                      badges={badges}
                      className="absolute -top-1 inset-e-1"
                      destination={destination}
                    />
                  </span>
                  <NavLabel badges={badges} className="max-w-full truncate" destination={destination} />
                </>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
