import { Logo } from '@/ui';
import { ServedText } from '@/ui/ServedText.tsx';

/** Shown until the session is checked: the text of the page if the server has sent it. */
export const Loading = () => <ServedText otherwise={<Waiting />} />;

const Waiting = () => (
  <div className="grid min-h-dvh place-items-center px-6" role="status">
    <div className="flex flex-col items-center gap-5 text-center">
      <Logo className="size-20" lively />
      <p className="font-display font-semibold text-lg text-muted">Loading your love journey...</p>
    </div>
  </div>
);
