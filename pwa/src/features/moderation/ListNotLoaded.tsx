import { RetryButton } from '@/ui';

/** Says within a card that its list could not be loaded. */
export const ListNotLoaded = ({ onRetry }: { onRetry: () => Promise<unknown> }) => (
  <div className="mt-4 flex flex-wrap items-center gap-3" role="alert">
    <p>The list could not be loaded.</p>
    <RetryButton onRetry={onRetry} variant="secondary" />
  </div>
);
