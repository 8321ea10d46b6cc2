import { useContext, useEffect, useEffectEvent, useMemo } from 'react';
import { Link, UNSAFE_DataRouterContext, useLocation, useNavigate, useRouteError } from 'react-router';
import { keepsNothing } from '@/base/storage.ts';
import { paths } from '@/session/paths.ts';
import { Button, EmptyState } from '@/ui';
import { newErrorId, reportError } from './errorReport.ts';

/** Shown when a screen throws while rendering, or while its code is loaded. */
export function BrokenScreen() {
  const error = useRouteError();
  // Asked once for each error: the page is loaded again when the connection is back.
  const isMissing = useMemo(() => !navigator.onLine && isImportError(error), [error]);
  return isMissing ? <MissingScreen /> : <FailedScreen error={error} />;
}

/** The browsers' errors of code that could not be loaded. */
const isImportError = (error: unknown) =>
  error instanceof TypeError && /import(ed|ing a) module/i.test(error.message);

/**
 * A screen whose code is not on the device, because few members need it offline. On a device that keeps nothing a reload would
 * delete what is not sent, which is in the page's memory: there the router loads the screen again.
 */
function MissingScreen() {
  const address = useLocation();
  const navigate = useNavigate();
  function load() {
    if (keepsNothing()) void navigate(address, { replace: true, state: address.state });
    else location.reload();
  }
  const loadAgain = useEffectEvent(load);
  useEffect(() => {
    document.title = "You're offline · Heartward";
    const onOnline = () => loadAgain();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center" role="alert">
      <EmptyState
        action={
          <div className="flex flex-col items-center gap-2">
            <Button onClick={load}>Try again</Button>
            <Link className={homeLink} to={paths.home}>
              Go home
            </Link>
          </div>
        }
        art="cloud"
        text="This page isn't on this device. It opens once you're connected again."
        title="You're offline"
      />
    </main>
  );
}

const homeLink = 'inline-flex min-h-11 items-center px-5 font-semibold text-ember-strong';

/** The error is logged here, and at the server under the id that is shown. */
function FailedScreen({ error }: { error: unknown }) {
  const route = useContext(UNSAFE_DataRouterContext)?.router.state.matches.at(-1)?.route.path ?? paths.home;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error has another id
  const id = useMemo(newErrorId, [error]);
  useEffect(() => {
    document.title = 'This page could not be shown · Heartward';
    console.error(id, error);
    void reportError(id, error, route);
  }, [id, error, route]);
  return (
    <main className="grid min-h-dvh place-items-center" role="alert">
      <EmptyState
        action={
          <div className="flex flex-col items-center gap-2">
            <Button onClick={() => location.reload()}>Reload</Button>
            {/* A new document: what is wrong may be in memory. */}
            <a className={homeLink} href={paths.home}>
              Go home
            </a>
            <p className="mt-2 text-muted text-sm">
              If it happens again,{' '}
              <a className="underline" href={`${paths.safety}#contact`}>
                write to us
              </a>{' '}
              with this number: <br />
              <strong className="select-all font-mono text-ink">{id}</strong>
            </p>
          </div>
        }
        art="cloud"
        text={
          // What is not sent is in the memory of the page there, and is lost with it.
          keepsNothing()
            ? 'Something went wrong on our side. Reload the page to continue.'
            : 'Something went wrong on our side. Your messages are safe. Reload the page to continue.'
        }
        title="This page could not be shown"
      />
    </main>
  );
}
