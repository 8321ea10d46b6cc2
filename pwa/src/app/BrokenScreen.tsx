import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { ErrorState } from '@/ui';

/** A screen that could not be drawn. What went wrong is for the console, a way on is for the member. */
export function BrokenScreen() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState
        onRetry={() => location.reload()}
        text="Your messages are safe. Load the page again to go on."
        title="This page could not be shown"
      />
    </main>
  );
}
