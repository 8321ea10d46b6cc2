import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import type { CommentThread } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { loginPath, paths } from '@/session/paths.ts';
import { ButtonLink, ErrorState, Skeleton, useAction } from '@/ui';
import { CommentForm } from './CommentForm.tsx';
import { Comment, UnsentCommentItem } from './CommentItem.tsx';
import {
  fetchReplies,
  loadReplies,
  type ShownComments,
  type UnsentComment,
  useMemberComments,
  useUnsentComments,
  useVisitorComments,
} from './comments.ts';
import { NextPage } from './NextPage.tsx';

export type CommentsProps = {
  postId: string;
  /** Whether the text above has its final height. */
  isSettled: boolean;
};

export function MemberComments({ postId, isSettled }: CommentsProps) {
  const db = useDb();
  const shown = useMemberComments(postId);
  const unsent = useUnsentComments(postId);
  const [replyingTo, setReplyingTo] = useState<string>();
  return (
    <Section isSettled={isSettled}>
      <CommentList
        {...shown}
        loadReplies={(thread) => loadReplies(db, postId, thread)}
        onReply={setReplyingTo}
        onReplied={() => setReplyingTo(undefined)}
        postId={postId}
        replyingTo={replyingTo}
        unsent={unsent}
      />
      <div className="mt-5">
        <CommentForm label="Write a comment" postId={postId} />
      </div>
    </Section>
  );
}

export function VisitorComments({ postId, isSettled }: CommentsProps) {
  const shown = useVisitorComments(postId);
  const [loaded, setLoaded] = useState<Record<string, CommentThread>>({});
  const comments = shown.comments?.map((thread) => loaded[thread.id] ?? thread);
  return (
    <Section isSettled={isSettled}>
      <CommentList
        {...shown}
        comments={comments}
        loadReplies={async (thread) => {
          const longer = await fetchReplies(postId, thread);
          setLoaded((before) => ({ ...before, [thread.id]: longer }));
        }}
        postId={postId}
        unsent={[]}
      />
      <p className="card mt-5 flex flex-wrap items-center justify-between gap-3 p-5">
        Sign in to join the conversation.
        <ButtonLink size="sm" to={loginPath(paths.post(postId))} variant="secondary">
          Sign In
        </ButtonLink>
      </p>
    </Section>
  );
}

/** Scrolls to the comments and focuses their heading. */
export function showComments(): void {
  const heading = document.getElementById('comments');
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** The comments, to which a link with #comments leads. */
function Section({ isSettled, children }: { isSettled: boolean; children: ReactNode }) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time the link is followed
  useEffect(() => {
    if (hash === '#comments' && isSettled) showComments();
  }, [hash, key, isSettled]);
  return (
    <section aria-labelledby="comments" className="pt-8 pb-6">
      <h2 className="mb-4 font-display font-semibold text-xl" id="comments" tabIndex={-1}>
        Comments
      </h2>
      {children}
    </section>
  );
}

type CommentListProps = ShownComments & {
  postId: string;
  /** The member's own; also those that the server has rejected. */
  unsent: UnsentComment[];
  loadReplies: (thread: CommentThread) => Promise<void>;
  replyingTo?: string;
  /** Undefined for a visitor. */
  onReply?: (id: string | undefined) => void;
  onReplied?: () => void;
};

function CommentList(props: CommentListProps) {
  const { comments, error, hasNext, loadNext, refresh, unsent } = props;
  if (!comments && error)
    return (
      <ErrorState onRetry={refresh} text={describeLoadError(error)} title="We could not load the comments" />
    );
  if (!comments) return <CommentsSkeleton />;
  const unsentThreads = unsent.filter(({ parentId }) => !parentId);
  if (comments.length === 0 && unsentThreads.length === 0)
    return <p className="text-muted">No comments yet. A kind word means a lot.</p>;
  return (
    <>
      <ol className="flex flex-col gap-5">
        {comments.map((thread) => (
          <Thread key={thread.id} {...props} thread={thread} />
        ))}
        {unsentThreads.map((comment) => (
          <li key={comment.clientId}>
            <UnsentCommentItem comment={comment} />
          </li>
        ))}
      </ol>
      {hasNext && <NextPage label="Show more comments" loadNext={loadNext} />}
    </>
  );
}

type ThreadProps = CommentListProps & { thread: CommentThread };

function Thread({ thread, postId, unsent, loadReplies, replyingTo, onReply, onReplied }: ThreadProps) {
  const isReplying = replyingTo === thread.id;
  const unsentReplies = unsent.filter(({ parentId }) => parentId === thread.id);
  const hasReplies = thread.replies.length + unsentReplies.length > 0 || isReplying;
  return (
    <li>
      <Comment
        comment={thread}
        isReplying={isReplying}
        onReply={onReply && (() => onReply(isReplying ? undefined : thread.id))}
        postId={postId}
      />
      {hasReplies && (
        <ol className="mt-4 ms-4 flex flex-col gap-4 border-line border-s-2 ps-4 sm:ms-[1.125rem] sm:ps-6">
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <Comment comment={reply} postId={postId} />
            </li>
          ))}
          {unsentReplies.map((comment) => (
            <li key={comment.clientId}>
              <UnsentCommentItem comment={comment} />
            </li>
          ))}
          {thread.repliesCursor && (
            <li>
              <MoreReplies load={() => loadReplies(thread)} />
            </li>
          )}
          {isReplying && (
            <li>
              <CommentForm
                autoFocus
                label={`Reply to ${thread.author?.fullName ?? 'this comment'}`}
                onSent={onReplied}
                parentId={thread.id}
                postId={postId}
              />
            </li>
          )}
        </ol>
      )}
    </li>
  );
}

function MoreReplies({ load }: { load: () => Promise<void> }) {
  const [run, { isBusy }] = useAction(load, { errorText: describeLoadError });
  return (
    <button
      className="min-h-11 font-semibold text-ember-strong text-sm disabled:opacity-55"
      disabled={isBusy}
      onClick={run}
      type="button"
    >
      Show more replies
    </button>
  );
}

function CommentsSkeleton() {
  return (
    <div aria-label="Loading the comments" className="flex flex-col gap-5" role="status">
      {['a', 'b'].map((key) => (
        <div className="flex gap-3" key={key}>
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="h-12" />
          </div>
        </div>
      ))}
    </div>
  );
}
