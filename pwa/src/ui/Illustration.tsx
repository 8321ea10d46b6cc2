import { Suspense } from 'react';
import { type IllustrationName, line } from './illustrationLine.ts';
import { lazyWithRetry } from './lazyWithRetry.ts';

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
