import { useContext, useEffect, useMemo } from 'react';
import { UNSAFE_DataRouterContext, useRouteError } from 'react-router';
import { paths } from '@/session/paths.ts';
import { Button, EmptyState } from '@/ui';
import { newErrorId, reportError } from './errorReport.ts';

/** Shown when a screen throws while rendering. The error is logged here, and at the server under the id that is shown. */
export function BrokenScreen() {
  const error = useRouteError();
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
            <a
              className="inline-flex min-h-11 items-center px-5 font-semibold text-ember-strong"
              href={paths.home}
            >
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
        text="Something went wrong on our side. Your messages are safe. Reload the page to continue."
        title="This page could not be shown"
      />
    </main>
  );
}
