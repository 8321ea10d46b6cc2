import { useEffect } from 'react';
import { paths } from '@/session/paths.ts';
import { ButtonLink, EmptyState } from '@/ui';

/** Any address that is none of ours. */
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
