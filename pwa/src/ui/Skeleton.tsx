import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/**
 * Reserves the space of content that is loading. Its final radius is set by class; its size too, or by children as large
 * as the content, which are neither seen nor read aloud.
 */
export function Skeleton({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <div aria-hidden="true" className={cn('animate-skeleton rounded-control bg-raised', className)}>
      {children && <div className="invisible">{children}</div>}
    </div>
  );
}

/** The skeleton of the deck: the card, its four buttons and, on wide screens, the panel beside it. */
export function DeckSkeleton() {
  return (
    <div
      aria-label="Loading matches"
      className="mx-auto grid max-w-md gap-10 lg:max-w-none lg:grid-cols-[420px_minmax(0,1fr)]"
      role="status"
    >
      <div>
        <Skeleton className="mb-[36px] deck-height rounded-card" />
        <div className="flex items-center justify-center gap-[20px]">
          <Skeleton className="size-[48px] rounded-full" />
          <Skeleton className="size-[56px] rounded-full" />
          <Skeleton className="size-[52px] rounded-full" />
          <Skeleton className="size-[64px] rounded-full" />
        </div>
      </div>
      <Skeleton className="hidden deck-panel-height rounded-card lg:block" />
    </div>
  );
}
