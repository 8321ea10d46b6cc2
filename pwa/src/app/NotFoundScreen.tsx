import { useEffect } from 'react';
import { paths } from '@/session/paths.ts';
import { ButtonLink, EmptyState } from '@/ui';

/** Shown for an unknown address. */
export default function NotFoundScreen() {
  useEffect(() => {
    document.title = 'Page Not Found · Heartward';
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        action={<ButtonLink to={paths.home}>Go home</ButtonLink>}
        art="road"
        text="This road leads nowhere. The way home is short."
        title="Page Not Found"
      />
    </main>
  );
}
