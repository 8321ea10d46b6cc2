import { Link } from 'react-router';
import type { PostCard } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { ownTags } from './tags.ts';

/** The tags of a post, as links to the posts with the same tag. */
export function PostTags({ post }: { post: Pick<PostCard, 'tags' | 'category' | 'title'> }) {
  const tags = ownTags(post);
  if (tags.length === 0) return null;
  return (
    <ul aria-label={`Tags of “${post.title}”`} className="-my-2 flex flex-wrap gap-x-4">
      {tags.map((tag) => (
        <li className="min-w-0" key={tag}>
          <Link
            className="wrap-anywhere inline-flex min-h-11 min-w-11 items-center font-medium text-muted text-sm hover:text-ink hover:underline"
            to={paths.communityTag(tag)}
          >
            <bdi>#{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
