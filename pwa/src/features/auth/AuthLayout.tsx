import { type ReactNode, Suspense, useEffect } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { lockedMember } from '@/offline/device/wipe.ts';
import { nextPath, paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Illustration, Logo, lazyWithRetry } from '@/ui';
import { CookieNotice } from './CookieNotice.tsx';

const LockedNotice = lazyWithRetry(() => import('./LockedNotice.tsx'));

type AuthLayoutProps = {
  title: string;
  subtitle: string;
  /** Where a signed-in member is redirected, unless the address has a `next` parameter. */
  destination: string;
  children: ReactNode;
};

/** The layout of sign-up and sign-in. Redirects signed-in members to their destination. */
export function AuthLayout({ title, subtitle, destination, children }: AuthLayoutProps) {
  const { me } = useMe();
  const { search } = useLocation();
  const locked = lockedMember();
  useEffect(() => {
    document.title = `${title} · Heartward`;
  }, [title]);

  if (me) return <Navigate replace to={nextPath(search, destination)} />;
  return (
    <div className="min-h-dvh pt-safe pb-safe lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <Welcome />
      <main className="mx-auto w-full max-w-xl px-safe py-6 md:py-12 lg:pt-[12dvh]" id="main">
        <Link
          className="mb-6 flex min-h-11 w-fit items-center gap-2 font-display font-semibold text-[min(1.375rem,10vw)] leading-[1.2727] lg:hidden"
          to={paths.home}
        >
          <Logo className="size-9" />
          Heartward
        </Link>
        <h1 className="font-display font-semibold text-2xl md:text-3xl">{title}</h1>
        <p className="mt-2 mb-6 text-lg text-muted">{subtitle}</p>
        <CookieNotice />
        {locked && (
          <Suspense fallback={null}>
            <LockedNotice memberId={locked} />
          </Suspense>
        )}
        {children}
      </main>
    </div>
  );
}

function Welcome() {
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col justify-between bg-plum-soft p-12 lg:flex">
      <Link
        className="flex min-h-11 w-fit items-center gap-3 font-display font-semibold text-xl"
        to={paths.home}
      >
        <Logo className="size-10" />
        Heartward
      </Link>
      <div>
        <Illustration className="mb-8 w-72" name="door" />
        <p className="max-w-md font-display text-3xl text-plum">
          An unhurried evening with someone you like.
        </p>
      </div>
      <p className="text-muted">Dating with intention. Always free.</p>
    </aside>
  );
}
