import { useEffect, useState } from 'react';
import { ErrorState } from '@/ui';
import { Loading } from './Loading.tsx';

const RELOADED_KEY = 'hw.landing-at';
/** A second visit of the app within this time means that the server's page could not be loaded. */
const RELOAD_INTERVAL_MS = 10_000;

const openHome = () => location.replace('/');

/**
 * Replaces the app with the landing page, which the server has at / for visitors. Without the server, where the worker
 * shows the app instead, it says so.
 */
export function Landing({ reload = openHome }: { reload?: () => void }) {
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_INTERVAL_MS) {
      setUnreachable(true);
      return;
    }
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    reload();
  }, [reload]);
  if (!isUnreachable) return <Loading />;
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState
        onRetry={reload}
        text="This will load once you're connected again."
        title="We could not reach Heartward"
      />
    </main>
  );
}
