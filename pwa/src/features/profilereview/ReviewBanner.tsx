import { Link } from 'react-router';
import { paths } from '@/session/paths.ts';
import { useRootMark } from '@/ui';
import { useReview } from './review.ts';

/** A line above the people on For You and Discover of a member whom nobody finds yet. */
export default function ReviewBanner() {
  const { data: review } = useReview();
  if (!review) return <div className="h-14" />;
  // Nobody reviews the profile of an admin, which is never shown.
  if (review.status === 'none') return null;
  return <Line isDeclined={review.status === 'declined'} />;
}

function Line({ isDeclined }: { isDeclined: boolean }) {
  useRootMark('banners');
  return (
    <aside
      aria-label="Your profile"
      className="mb-3 flex min-h-11 items-center justify-between gap-3 rounded-control bg-plum-soft ps-4 text-plum"
    >
      <p className="wrap-anywhere min-w-0 py-1 text-sm leading-tight">
        {isDeclined
          ? 'Your profile isn’t shown yet.'
          : 'A moderator looks at your profile before others see it.'}
      </p>
      <Link
        className="inline-flex min-h-11 shrink-0 items-center px-4 font-semibold text-sm"
        to={paths.profile}
      >
        {isDeclined ? 'See why' : 'Your profile'}
      </Link>
    </aside>
  );
}
