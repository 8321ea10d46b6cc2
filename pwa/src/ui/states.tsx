import { CloudOff } from 'lucide-react';
import { type ReactNode, useTransition } from 'react';
import { Button } from './Button.tsx';
import { Illustration } from './Illustration.tsx';
import type { IllustrationName } from './illustrationLine.ts';
import { useRootMark } from './rootMark.ts';

type EmptyStateProps = {
  art: IllustrationName;
  title: string;
  /** One or two sentences. */
  text?: string;
  /** One or a few actions. */
  action?: ReactNode;
};

/** An empty state: an illustration, a title, a text and actions. */
export function EmptyState({ art, title, text, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-10 text-center">
      <Illustration className="w-52 max-w-full" name={art} />
      <h2 className="mt-5 font-display font-semibold text-xl">{title}</h2>
      {text && <p className="mt-2 text-balance text-muted">{text}</p>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}

type ErrorStateProps = {
  title: string;
  /** What happened and what helps: `describeLoadError` of the error, unless the screen knows more. */
  text: string;
  /** The button is busy until the returned promise settles. */
  onRetry?: () => unknown;
};

/** An error with a text and a retry button. */
export function ErrorState({ title, text, onRetry }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState action={onRetry && <Retry onRetry={onRetry} />} art="cloud" text={text} title={title} />
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

/** The strip at the bottom of the screen while offline. It covers the page and shifts no content. */
type OfflineStripProps = {
  offline: boolean;
  /** Whether what is unsent is lost with the page. */
  keepsNothing: boolean;
};

export function OfflineStrip({ offline, keepsNothing }: OfflineStripProps) {
  useRootMark('offline', offline);
  return (
    <div aria-live="polite">
      {offline && (
        <p className="in-data-admin:hidden fixed inset-x-0 bottom-[calc(var(--tab-bar)+env(safe-area-inset-bottom))] z-30 flex min-h-10 items-center justify-center gap-2 bg-plum-soft px-safe py-1 text-center text-plum text-xs min-[400px]:text-sm md:bottom-0">
          <CloudOff aria-hidden="true" className="size-4 shrink-0" />
          {keepsNothing
            ? "You're offline. What you send waits only while Heartward is open."
            : "You're offline. You can read and write; we'll send later."}
        </p>
      )}
    </div>
  );
}
