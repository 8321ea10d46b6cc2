import { EllipsisVertical, MessageCircle, Share2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Post, PostCard } from '@/api/types.ts';
import { countText } from '@/base/format.ts';
import { openContentMenu } from '@/member-menu/openMenu.ts';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Badge, Button, ButtonLink, EmptyState, ErrorState, IconButton, Photo, Screen, Skeleton } from '@/ui';
import { ServedText, useServedText } from '@/ui/ServedText.tsx';
import { type ShownPost, useMemberPost, useVisitorPost } from './board.ts';
import { categoryLabels, statusLabels, statusTones } from './boardCategories.ts';
import { type CommentsProps, MemberComments, showComments, VisitorComments } from './Comments.tsx';
import { LikeButton } from './LikeButton.tsx';
import { OwnPostActions } from './OwnPostActions.tsx';
import { Byline, countClasses, menuAuthor } from './PostHead.tsx';
import { PostTags } from './PostTags.tsx';
import { PostText, TextSkeleton } from './PostText.tsx';
import { SignIn } from './SignIn.tsx';
import { sharePost } from './share.ts';

/** /community/{id}: a post with its comments. Everyone can read it. */
export default function PostScreen() {
  const { id = '' } = useParams();
  const { me } = useMe();
  return me ? <MemberPost id={id} key={id} /> : <VisitorPost id={id} key={id} />;
}

const MemberPost = ({ id }: { id: string }) => (
  <PostPage {...useMemberPost(id)} Comments={MemberComments} id={id} />
);

const VisitorPost = ({ id }: { id: string }) => (
  <PostPage {...useVisitorPost(id)} Comments={VisitorComments} id={id} />
);

/** Whether others see the story. A card, which has no status, is one of a published story. */
const isPublished = ({ status = 'published' }: Partial<Post>) => status === 'published';

type PostPageProps = ShownPost & { id: string; Comments: ComponentType<CommentsProps> };

function PostPage({ id, post, error, refresh, Comments }: PostPageProps) {
  const { me } = useMe();
  const isSettled = post?.contentHtml !== undefined || error !== null;
  if (useServedText(me !== null || isSettled)) return <ServedText otherwise={null} />;
  return (
    <Screen
      actions={!me && <SignIn />}
      back={paths.community}
      tabTitle={post?.title}
      title={post ? categoryLabels[post.category] : 'Story'}
      width="reading"
    >
      {post ? (
        <>
          <Article error={error} post={post} />
          {isPublished(post) && <Comments isSettled={isSettled} postId={id} />}
        </>
      ) : error ? (
        <NotLoaded error={error} refresh={refresh} />
      ) : (
        <ArticleSkeleton />
      )}
    </Screen>
  );
}

function NotLoaded({ error, refresh }: { error: Error; refresh: () => Promise<unknown> }) {
  if (error instanceof ApiError && [404, 422].includes(error.status))
    return (
      <EmptyState
        action={<ButtonLink to={paths.community}>Read other stories</ButtonLink>}
        art="letters"
        text="It was taken back, or it is not published."
        title="This story is not here"
      />
    );
  return (
    <ErrorState onRetry={refresh} text={describeLoadError(error)} title="We could not load this story" />
  );
}

type ArticleProps = { post: PostCard & Partial<Post>; error: Error | null };

function Article({ post, error }: ArticleProps) {
  const { featuredImage, excerpt, contentHtml } = post;
  return (
    <article className="flex flex-col gap-4">
      {post.isAdminPost && (
        <p>
          <Badge tone="sky">Official</Badge>
        </p>
      )}
      <h2 className="wrap-anywhere font-display font-semibold text-2xl md:text-3xl" dir="auto">
        {post.title}
      </h2>
      <Byline post={post} />
      <OwnStatus post={post} />
      {featuredImage && (
        <div className="aspect-[2/1] overflow-hidden rounded-card">
          <Photo alt="" eager placeholder={featuredImage.placeholder} ratio="fill" src={featuredImage.url} />
        </div>
      )}
      <p className="wrap-anywhere text-lg text-muted" dir="auto">
        {excerpt}
      </p>
      <PostText error={error} html={contentHtml} widths={WIDTHS} />
      <PostTags post={post} />
      <Actions post={post} />
    </article>
  );
}

/** What the author of a story that is not published is told. */
function OwnStatus({ post: { status, rejectionReason } }: { post: Partial<Post> }) {
  if (!status || status === 'published') return null;
  return (
    <div className="card flex flex-col items-start gap-2 p-5">
      <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
      {status === 'pending' ? (
        <p>A moderator reads your story before others see it. We'll tell you as soon as it is decided.</p>
      ) : (
        <p className="wrap-anywhere">
          We could not publish your story: <bdi className="font-medium">{rejectionReason}</bdi> You can change
          it and send it again.
        </p>
      )}
    </div>
  );
}

function Actions({ post }: { post: PostCard & Partial<Post> }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const [isSharing, setSharing] = useState(false);
  const { id, title, commentCount } = post;
  const isOwn = post.isOwn ?? (me !== null && me.id === post.author.id);

  async function share() {
    setSharing(true);
    await sharePost(post);
    setSharing(false);
  }

  return (
    <div className="-mx-[12px] flex flex-wrap items-center gap-1 border-line border-y py-1">
      {isPublished(post) && (
        <>
          <LikeButton post={post} />
          <button
            aria-label={countText(commentCount, 'comment')}
            className={countClasses}
            onClick={showComments}
            type="button"
          >
            <MessageCircle aria-hidden="true" className="size-5" />
            {commentCount}
          </button>
          <Button busy={isSharing} className="ms-auto" onClick={share} size="sm" variant="ghost">
            <Share2 aria-hidden="true" className="size-5" />
            Share
          </Button>
        </>
      )}
      {isOwn && (
        <OwnPostActions
          id={id}
          onDeleted={() => void navigate(paths.ownPosts, { replace: true })}
          title={title}
        />
      )}
      {me && !isOwn && (
        <IconButton
          aria-haspopup="dialog"
          icon={EllipsisVertical}
          label={`Options for “${title}”`}
          onClick={() => openContentMenu({ kind: 'post', id }, menuAuthor(post.author))}
        />
      )}
    </div>
  );
}

const WIDTHS = ['w-full', 'w-full', 'w-full', 'w-11/12', 'w-2/3'];

function ArticleSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-9 w-4/5" />
      <div className="flex items-center gap-3">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-5 w-44" />
      </div>
      <Skeleton className="h-14" />
      <TextSkeleton widths={WIDTHS} />
    </div>
  );
}
