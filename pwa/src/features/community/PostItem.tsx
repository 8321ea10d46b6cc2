import { EllipsisVertical, MessageCircle } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { PostCard } from '@/api/types.ts';
import { countText } from '@/base/format.ts';
import { openContentMenu } from '@/member-menu/openMenu.ts';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Button, IconButton, Photo } from '@/ui';
import { type ShownPost, useMemberPost, useVisitorPost } from './board.ts';
import { LikeButton } from './LikeButton.tsx';
import { Marked } from './Marked.tsx';
import { Badges, Byline, countClasses, menuAuthor } from './PostHead.tsx';
import { PostTags } from './PostTags.tsx';
import { PostText } from './PostText.tsx';

/** A post in a list: its head and summary, and the whole text while it is unfolded. */
export function PostItem({ post, eager }: { post: PostCard; eager?: boolean }) {
  const { me } = useMe();
  const [isUnfolded, setUnfolded] = useState(false);
  const textId = useId();
  const { id, title, excerpt, hasMore, matches } = post;
  const Text = me ? MemberText : VisitorText;
  return (
    <li className="card overflow-hidden">
      <article aria-labelledby={`${textId}-title`}>
        <PostPicture eager={eager} post={post} />
        <div className="flex flex-col gap-3 px-5 pt-5 pb-2">
          <Badges category={post.category} isAdminPost={post.isAdminPost} />
          <h2 className="wrap-anywhere font-display font-semibold text-xl" dir="auto" id={`${textId}-title`}>
            <Link className="hover:underline" to={paths.post(id)} viewTransition>
              <Marked text={title} words={matches} />
            </Link>
          </h2>
          <Byline post={post} />
          <p className="wrap-anywhere" dir="auto">
            <Marked text={excerpt} words={matches} />
          </p>
          {isUnfolded && (
            <div className="border-line border-t pt-4" id={textId}>
              <Text id={id} />
            </div>
          )}
          <PostTags post={post} />
          <div className="-mx-[12px] flex flex-wrap items-center gap-x-1">
            <LikeButton post={post} />
            <CommentsLink post={post} />
            {hasMore && (
              <Button
                aria-controls={isUnfolded ? textId : undefined}
                aria-expanded={isUnfolded}
                className="ms-auto"
                onClick={() => setUnfolded(!isUnfolded)}
                size="sm"
                variant="ghost"
              >
                {isUnfolded ? 'Show Less' : 'Read More'}
                <span className="sr-only"> of “{title}”</span>
              </Button>
            )}
            {me && me.id !== post.author.id && (
              <IconButton
                aria-haspopup="dialog"
                className={hasMore ? undefined : 'ms-auto'}
                icon={EllipsisVertical}
                label={`Options for “${title}”`}
                onClick={() => openContentMenu({ kind: 'post', id }, menuAuthor(post.author))}
              />
            )}
          </div>
        </div>
      </article>
    </li>
  );
}

/** The picture, which leads to the post as its title does. */
function PostPicture({ post: { id, featuredImage }, eager }: { post: PostCard; eager?: boolean }) {
  if (!featuredImage) return null;
  return (
    <Link aria-hidden="true" className="block aspect-[2/1]" tabIndex={-1} to={paths.post(id)} viewTransition>
      <Photo
        alt=""
        eager={eager}
        placeholder={featuredImage.placeholder}
        ratio="fill"
        src={featuredImage.url}
      />
    </Link>
  );
}

/** The number of comments, which leads to them. */
function CommentsLink({ post: { id, title, commentCount } }: { post: PostCard }) {
  return (
    <Link
      aria-label={`${countText(commentCount, 'comment')} on “${title}”`}
      className={countClasses}
      to={`${paths.post(id)}#comments`}
      viewTransition
    >
      <MessageCircle aria-hidden="true" className="size-5" />
      {commentCount}
    </Link>
  );
}

const WIDTHS = ['w-full', 'w-full', 'w-2/3'];

const MemberText = ({ id }: { id: string }) => <UnfoldedText {...useMemberPost(id)} />;
const VisitorText = ({ id }: { id: string }) => <UnfoldedText {...useVisitorPost(id)} />;

const UnfoldedText = ({ post, error }: Pick<ShownPost, 'post' | 'error'>) => (
  <PostText error={error} html={post?.contentHtml} widths={WIDTHS} />
);
