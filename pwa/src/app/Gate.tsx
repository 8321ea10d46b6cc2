import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useMatches } from 'react-router';
import { lockedMember } from '@/offline/device/wipe.ts';
import { loginPath, paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { deviceMember } from '@/session/storage.ts';
import { ErrorState, lazyWithRetry, useLoaded } from '@/ui';
import { preloadHome } from './HomeScreen.tsx';
import { Loading } from './Loading.tsx';
import { Shell } from './Shell.tsx';

const LandingScreen = lazyWithRetry(() => import('@/features/auth/LandingScreen.tsx'));

/** The `handle` of a route that signed-out visitors may see too. */
export const FOR_EVERYONE = 'for everyone';

/**
 * Shows the app to members. Signed-out visitors get the landing page at /, the pages for everyone, and the sign-in screen
 * elsewhere.
 */
export function Gate() {
  const { me, status, retry } = useMe();
  const { pathname, search, hash } = useLocation();
  const isForEveryone = useMatches().some(({ handle }) => handle === FOR_EVERYONE);

  const isHome = pathname === paths.home;
  useEffect(() => {
    if (isHome) void (deviceMember() ? preloadHome : LandingScreen.preload)();
  }, [isHome]);

  if (me) return <Shell me={me} />;
  if (status === 'loading') return <Loading />;
  if (status === 'offline') {
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState
          onRetry={retry}
          text="This will load once you're connected again."
          title="We could not reach Heartward"
        />
      </main>
    );
  }
  if (isForEveryone) return <Outlet />;
  // After an expired session the sign-in screen is shown, which names the unsent items on this device.
  if (pathname !== paths.home || lockedMember())
    return <Navigate replace to={loginPath(pathname + search + hash)} />;
  return <Landing />;
}

const Landing = () => (useLoaded(LandingScreen) ? <LandingScreen /> : <Loading />);
