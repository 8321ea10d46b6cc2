import type { ComponentProps, ReactNode } from 'react';
import { Button } from './Button.tsx';
import { cn } from './cn.ts';
import { Illustration } from './Illustration.tsx';
import type { IllustrationName } from './illustrationLine.ts';
import { useAction } from './useAction.ts';

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
      <EmptyState
        action={onRetry && <RetryButton onRetry={onRetry} size="md" />}
        art="cloud"
        text={text}
        title={title}
      />
    </div>
  );
}

type RetryButtonProps = Pick<ComponentProps<typeof Button>, 'className' | 'size' | 'variant'> & {
  onRetry: () => unknown;
};

/** Loads again what a part of a screen lacks. The caller says why it is missing. */
export function RetryButton({ onRetry, ...style }: RetryButtonProps) {
  const [retry, { isBusy }] = useAction(onRetry, { inline: true });
  return (
    <Button busy={isBusy} onClick={retry} size="sm" {...style}>
      Try again
    </Button>
  );
}

/** Says beside a control why its action has failed; nothing without a text. */
export const FailureText = ({ children, className }: { children: ReactNode; className?: string }) =>
  children && (
    <p className={cn('text-danger text-sm', className)} role="alert">
      {children}
    </p>
  );
