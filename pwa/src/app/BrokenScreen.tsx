import { useContext, useEffect, useMemo } from 'react';
import { UNSAFE_DataRouterContext, useRouteError } from 'react-router';
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

/** A screen whose code is not on the device, because few members need it offline. */
function MissingScreen() {
  useEffect(() => {
    document.title = "You're offline · Heartward";
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center" role="alert">
      <EmptyState
        action={
          <div className="flex flex-col items-center gap-2">
            <Button onClick={() => location.reload()}>Try again</Button>
            <HomeLink />
          </div>
        }
        art="cloud"
        text="This page isn't on this device. It opens once you're connected again."
        title="You're offline"
      />
    </main>
  );
}

/** A new document: what is wrong may be in memory. */
const HomeLink = () => (
  <a className="inline-flex min-h-11 items-center px-5 font-semibold text-ember-strong" href={paths.home}>
    Go home
  </a>
);

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
            <HomeLink />
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
        text="Something went wrong on our side. Your messages are safe. Reload the page to continue."
        title="This page could not be shown"
      />
    </main>
  );
}
