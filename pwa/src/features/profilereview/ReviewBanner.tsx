import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFailure } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { RetryButton, useRootMark } from '@/ui';
import { useReview } from './review.ts';

/** A line above the people on For You and Discover of a member whom nobody finds yet. */
export default function ReviewBanner() {
  const query = useReview();
  const failure = useFailure(query);
  const review = query.data;
  if (!review && failure)
    return (
      <Line text="We couldn’t load your review">
        <RetryButton className="shrink-0" onRetry={query.refetch} variant="ghost" />
      </Line>
    );
  if (!review) return <div className="h-14" />;
  // Nobody reviews the profile of an admin, which is never shown.
  if (review.status === 'none') return null;
  const isDeclined = review.status === 'declined';
  return (
    <Line
      text={
        isDeclined
          ? 'Your profile isn’t shown yet.'
          : 'A moderator looks at your profile before others see it.'
      }
    >
      <Link
        className="inline-flex min-h-11 shrink-0 items-center px-4 font-semibold text-sm"
        to={paths.profile}
      >
        {isDeclined ? 'See why' : 'Your profile'}
      </Link>
    </Line>
  );
}

function Line({ text, children }: { text: string; children: ReactNode }) {
  useRootMark('banners');
  return (
    <aside
      aria-label="Your profile"
      className="mb-3 flex min-h-11 items-center justify-between gap-3 rounded-control bg-plum-soft ps-4 text-plum"
    >
      <p className="wrap-anywhere min-w-0 py-1 text-sm leading-tight">{text}</p>
      {children}
    </aside>
  );
}
