import { Heart } from 'lucide-react';
import { Link } from 'react-router';
import type { PostCard } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';

/** With fewer posts nothing stands out. */
const MIN_POSTS = 3;

/** The popular posts of the week beside each other, above the board. */
export function PopularStrip({ posts }: { posts: readonly PostCard[] }) {
  if (posts.length < MIN_POSTS) return null;
  return (
    <section aria-labelledby="popular" className="mb-6">
      <h2 className="mb-2 font-display font-semibold text-lg" id="popular">
        Popular this week
      </h2>
      <ol className="flex snap-x gap-3 overflow-x-auto pb-2">
        {posts.map((post) => (
          <PopularPost key={post.id} post={post} />
        ))}
      </ol>
    </section>
  );
}

const PopularPost = ({ post: { id, title, author, likeCount } }: { post: PostCard }) => (
  <li className="card relative flex w-56 shrink-0 snap-start flex-col justify-between gap-3 p-4">
    <Link
      className="wrap-anywhere line-clamp-3 font-medium after:absolute after:inset-0 after:rounded-card hover:underline"
      dir="auto"
      to={paths.post(id)}
      viewTransition
    >
      {title}
    </Link>
    <p className="flex items-center justify-between gap-3 text-muted text-sm">
      <span className="min-w-0 truncate">
        by <bdi>{author.fullName}</bdi>
      </span>
      <span className="flex shrink-0 items-center gap-1 tabular-nums">
        <Heart aria-hidden="true" className="size-4" />
        {likeCount}
        <span className="sr-only">{likeCount === 1 ? 'like' : 'likes'}</span>
      </span>
    </p>
  </li>
);
