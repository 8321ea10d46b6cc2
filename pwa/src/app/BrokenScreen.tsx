import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { ErrorState } from '@/ui';

/** Shown when a screen throws while rendering. The error is logged to the console. */
export function BrokenScreen() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState
        onRetry={() => location.reload()}
        text="Your messages are safe. Reload the page to continue."
        title="This page could not be shown"
      />
    </main>
  );
}
