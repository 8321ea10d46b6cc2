import { lazy, Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { lockedMember } from '@/offline/device/wipe.ts';
import { loginPath, paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { deviceMember } from '@/session/storage.ts';
import { ErrorState } from '@/ui';
import { preloadHome } from './HomeScreen.tsx';
import { Loading } from './Loading.tsx';
import { Shell } from './Shell.tsx';

const LandingScreen = lazy(() => import('@/features/auth/LandingScreen.tsx'));

/** Members pass; the signed-out see the landing page at / and are sent to sign in, and back, elsewhere. */
export function Gate() {
  const { me, status, retry } = useMe();
  const { pathname, search, hash } = useLocation();

  const comesHome = pathname === paths.home && deviceMember() !== null;
  useEffect(() => {
    if (comesHome) preloadHome();
  }, [comesHome]);

  if (me) return <Shell me={me} />;
  if (status === 'loading') return <Loading />;
  if (status === 'offline') {
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState onRetry={retry} title="We could not reach Heartward" />
      </main>
    );
  }
  // Who was signed in until the session expired comes to sign in again, which says what waits on this device.
  if (pathname !== paths.home || lockedMember())
    return <Navigate replace to={loginPath(pathname + search + hash)} />;
  return (
    <Suspense fallback={<Loading />}>
      <LandingScreen />
    </Suspense>
  );
}
