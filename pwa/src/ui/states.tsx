import { CloudOff } from 'lucide-react';
import { type ReactNode, useTransition } from 'react';
import { Art, type ArtName } from './Art.tsx';
import { Button } from './Button.tsx';
import { useRootMark } from './rootMark.ts';

type EmptyStateProps = {
  art: ArtName;
  title: string;
  /** One sentence. */
  text?: string;
  /** One thing to do. */
  action?: ReactNode;
};

/** Nothing here yet: one picture, one sentence, one action. */
export function EmptyState({ art, title, text, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-10 text-center">
      <Art className="w-52" name={art} />
      <h2 className="mt-5 font-display font-semibold text-xl">{title}</h2>
      {text && <p className="mt-2 text-muted">{text}</p>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}

type ErrorStateProps = {
  title: string;
  text?: string;
  /** The button is busy until what it returns is settled. */
  onRetry?: () => unknown;
};

/** What happened, what to do, and a way to try again. */
export function ErrorState({ title, text, onRetry }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        action={onRetry && <Retry onRetry={onRetry} />}
        art="cloud"
        text={text ?? 'It may be your connection, or us. Please try again in a moment.'}
        title={title}
      />
    </div>
  );
}

function Retry({ onRetry }: { onRetry: () => unknown }) {
  const [busy, start] = useTransition();
  return (
    <Button
      busy={busy}
      onClick={() =>
        start(async () => {
          await onRetry();
        })
      }
    >
      Try again
    </Button>
  );
}

/** The calm line at the foot of the screen while the network is away; it lies above the page and moves nothing. */
export function OfflineStrip({ offline }: { offline: boolean }) {
  useRootMark('offline', offline);
  return (
    <div aria-live="polite">
      {offline && (
        <p className="fixed inset-x-0 bottom-[calc(4rem+env(safe-area-inset-bottom))] z-30 flex min-h-10 items-center justify-center gap-2 bg-plum-soft px-safe py-1 text-center text-plum text-xs min-[400px]:text-sm md:bottom-0">
          <CloudOff aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
          You're offline. You can read and write; we'll send later.
        </p>
      )}
    </div>
  );
}
