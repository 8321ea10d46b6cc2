import { Logo } from '@/ui';

/** Shown until the session is checked. */
export function Loading() {
  return (
    <div className="grid min-h-dvh place-items-center px-6" role="status">
      <div className="flex flex-col items-center gap-5 text-center">
        <Logo className="size-20" lively />
        <p className="font-display font-semibold text-lg text-muted">Loading your love journey...</p>
      </div>
    </div>
  );
}
