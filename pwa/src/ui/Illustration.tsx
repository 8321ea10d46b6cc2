import { Suspense } from 'react';
import { lazyWithRetry } from './lazyWithRetry.ts';

export type IllustrationName = 'people' | 'hearts' | 'letters' | 'door' | 'road' | 'cloud';

export const line = {
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  strokeWidth: 3,
} as const;

const Picture = lazyWithRetry(() => import('./illustrations.tsx'));

/**
 * A decorative drawing in the theme's colours, for empty states and error screens. Its picture is loaded after the
 * frame, which reserves the space.
 */
export function Illustration({ name, className }: { name: IllustrationName; className?: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox="0 0 200 150">
      <ellipse className="fill-raised" cx="100" cy="84" rx="88" ry="58" />
      <Suspense fallback={null}>
        <Picture name={name} />
      </Suspense>
      <path className="stroke-control" d="M28 128h144" opacity=".5" {...line} />
    </svg>
  );
}
