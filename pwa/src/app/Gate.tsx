import { useDeferredValue, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useMatches } from 'react-router';
import type { Me } from '@/api/types.ts';
import { deviceMember, keepsNothing } from '@/base/storage.ts';
import { lockedMember } from '@/offline/device/wipe.ts';
import { type StorageFailure, useStorageFailure } from '@/offline/store/failure.ts';
import { loginPath, paths } from '@/session/paths.ts';
import { SignedIn } from '@/session/SignedIn.tsx';
import { isRestricted, useMe } from '@/session/session.ts';
import { ErrorState, lazyWithRetry, useLoaded } from '@/ui';
import { preloadHome } from './HomeScreen.tsx';
import { Landing } from './Landing.tsx';
import { Loading } from './Loading.tsx';
import { Shell } from './Shell.tsx';

const RestrictedScreen = lazyWithRetry(() => import('./RestrictedScreen.tsx'));
const StorageScreen = lazyWithRetry(() => import('./StorageScreen.tsx'));

/** The `handle` of a route that signed-out visitors may see too. */
export const FOR_EVERYONE = 'for everyone';

/**
 * Shows the app to members. A suspended member, or one under review, reads why. Signed-out visitors get the server's
 * landing page at /, the pages for everyone, and the sign-in screen elsewhere.
 */
export function Gate() {
  const { me, status, retry } = useMe();
  const { pathname, search, hash } = useLocation();
  const isForEveryone = useMatches().some(({ handle }) => handle === FOR_EVERYONE);

  const isHome = pathname === paths.home || pathname === paths.homeOfApp;
  useEffect(() => {
    if (isHome && deviceMember()) void preloadHome();
  }, [isHome]);

  // The first screen is drawn in slices, between which a slow phone answers to touches. A sign-out takes effect at once.
  const isDrawn = useDeferredValue(me !== null);
  const storageFailure = useStorageFailure();
  if (storageFailure && deviceMember()) return <Storage failure={storageFailure} />;
  if (me && (isDrawn || isRestricted(me)))
    return (
      <SignedIn key={me.id} memberId={me.id}>
        {isRestricted(me) ? <Restricted me={me} /> : <Shell me={me} />}
      </SignedIn>
    );
  if (me || status === 'loading') return <Loading />;
  if (status === 'offline') {
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState
          onRetry={retry}
          text={
            keepsNothing()
              ? "This device keeps nothing. Everything loads once you're connected again."
              : "This will load once you're connected again."
          }
          title="We could not reach Heartward"
        />
      </main>
    );
  }
  if (isForEveryone) return <Outlet />;
  // After an expired session the sign-in screen is shown, which names the unsent items on this device.
  if (!isHome || lockedMember())
    return <Navigate replace to={loginPath(isHome ? paths.home : pathname + search + hash)} />;
  return <Landing />;
}

const Storage = ({ failure }: { failure: StorageFailure }) =>
  useLoaded(StorageScreen) ? <StorageScreen failure={failure} /> : <Loading />;

const Restricted = ({ me }: { me: Me }) =>
  useLoaded(RestrictedScreen) ? <RestrictedScreen me={me} /> : <Loading />;
