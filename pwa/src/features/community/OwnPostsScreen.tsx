import { useState } from 'react';
import { Link } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import type { OwnPost } from '@/api/types.ts';
import { countText, formatDate } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Badge, Button, EmptyState, ErrorState, Screen } from '@/ui';
import { categoryLabels, categoryTones, statusLabels, statusTones } from './boardCategories.ts';
import { NextPage } from './NextPage.tsx';
import { OwnPostActions } from './OwnPostActions.tsx';
import { loadNextOwnPosts, useOwnPosts } from './ownPosts.ts';
import { PostsSkeleton } from './PostsSkeleton.tsx';
import { StoryDialog } from './StoryDialog.tsx';

/** /community/mine: the member's own stories in every state. */
export default function OwnPostsScreen() {
  const db = useDb();
  const { data, state, error, refresh } = useOwnPosts();
  const [isWriting, setWriting] = useState(false);
  const write = () => setWriting(true);
  return (
    <Screen
      actions={
        <Button onClick={write} size="sm">
          Share Your Story
        </Button>
      }
      back={paths.community}
      title="My stories"
      width="reading"
    >
      {data && state === 'ready' ? (
        <>
          <ul className="flex flex-col gap-4">
            {data.items.map((post) => (
              <Story key={post.id} post={post} />
            ))}
          </ul>
          {data.next && <NextPage loadNext={() => loadNextOwnPosts(db)} />}
        </>
      ) : state === 'empty' ? (
        <EmptyState
          action={<Button onClick={write}>Share Your Story</Button>}
          art="letters"
          text="What you share with the community is here, also while we read it."
          title="No stories of yours yet"
        />
      ) : state === 'error' ? (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="We could not load your stories"
        />
      ) : (
        <PostsSkeleton />
      )}
      {isWriting && <StoryDialog onClose={() => setWriting(false)} />}
    </Screen>
  );
}

function Story({ post }: { post: OwnPost }) {
  const { id, title, excerpt, status, category, rejectionReason, likeCount, commentCount } = post;
  return (
    <li className="card flex flex-col gap-2 px-5 pt-5 pb-2">
      <p className="flex flex-wrap gap-2">
        <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
        <Badge tone={categoryTones[category]}>{categoryLabels[category]}</Badge>
      </p>
      <h2 className="wrap-anywhere font-display font-semibold text-xl" dir="auto">
        <Link className="hover:underline" to={paths.post(id)} viewTransition>
          {title}
        </Link>
      </h2>
      <p className="wrap-anywhere text-muted" dir="auto">
        {excerpt}
      </p>
      {status === 'rejected' && (
        <p className="wrap-anywhere rounded-control bg-danger-soft px-4 py-3 text-danger">
          <span className="font-semibold">Why we did not publish it:</span> <bdi>{rejectionReason}</bdi>
        </p>
      )}
      <div className="-mx-[12px] flex flex-wrap items-center">
        <p className="me-auto px-3 text-muted text-sm">
          {status === 'published'
            ? `${formatDate(post.publishedAt)} · ${countText(likeCount, 'like')} · ${countText(commentCount, 'comment')}`
            : `Sent ${formatDate(post.updatedAt)}`}
        </p>
        <div className="flex flex-wrap">
          <OwnPostActions id={id} title={title} />
        </div>
      </div>
    </li>
  );
}
