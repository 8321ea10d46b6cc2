import { Link } from 'react-router';
import type { PostAuthor, PostCard, PostCategory } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Badge } from '@/ui';
import { categoryLabels, categoryTones } from './boardCategories.ts';

export function Badges({ category, isAdminPost }: { category: PostCategory; isAdminPost: boolean }) {
  return (
    <p className="flex flex-wrap gap-2">
      <Badge tone={categoryTones[category]}>{categoryLabels[category]}</Badge>
      {isAdminPost && <Badge tone="sky">Official</Badge>}
    </p>
  );
}

/** A name, which is a link if the viewer may open the profile. */
export function AuthorName({ author }: { author: PostAuthor }) {
  const name = <bdi>{author.fullName}</bdi>;
  if (!author.id) return <span className="font-semibold text-ink">{name}</span>;
  return (
    <Link className="font-semibold text-ink hover:underline" to={paths.member(author.id)} viewTransition>
      {name}
    </Link>
  );
}

/** The author with the date of the publication. */
export function Byline({
  post: { author, publishedAt },
}: {
  post: Pick<PostCard, 'author' | 'publishedAt'>;
}) {
  return (
    <div className="flex items-center gap-3 text-muted text-sm">
      <Avatar size="sm" user={{ fullName: author.fullName, profileImageUrl: author.profileImageUrl }} />
      <p className="min-w-0">
        by <AuthorName author={author} />
        {publishedAt && (
          <>
            {' '}
            <span aria-hidden="true">·</span>{' '}
            <time className="inline-block" dateTime={publishedAt}>
              {formatDate(publishedAt)}
            </time>
          </>
        )}
      </p>
    </div>
  );
}

/** Returns an author as the menu of a post or comment names them. */
export const menuAuthor = ({ id, fullName }: PostAuthor) => ({ id, firstName: fullName.split(' ')[0] ?? '' });

/** The classes of a number below a post that can be pressed. */
export const countClasses =
  'inline-flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 font-semibold text-muted text-sm tabular-nums hover:bg-raised';
