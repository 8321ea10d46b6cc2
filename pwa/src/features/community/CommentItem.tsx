import { Clock, EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import type { PostComment } from '@/api/types.ts';
import { openContentMenu } from '@/member-menu/openMenu.ts';
import { discard, retry } from '@/offline/outbox/rejectedRows.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMe, useMember } from '@/session/session.ts';
import { Avatar, Button, ConfirmDialog, FailureText, IconButton, RelativeTime, useAction } from '@/ui';
import { CommentEdit, useIsEditable } from './CommentEdit.tsx';
import { deleteComment, type UnsentComment } from './comments.ts';
import { AuthorName, menuAuthor } from './PostHead.tsx';

type CommentProps = {
  comment: PostComment;
  postId: string;
  /** Whether the form of a reply is open. */
  isReplying?: boolean;
  /** Undefined for a visitor, and for a reply, which has no replies. */
  onReply?: () => void;
};

/** A comment or a reply. */
export function Comment({ comment, postId, isReplying, onReply }: CommentProps) {
  const { author, content, createdAt, editedAt, isDeleted, isOwn, isPending } = comment;
  const [isEditing, setEditing] = useState(false);
  const isEditable = useIsEditable(comment);
  if (isDeleted || !author)
    return (
      <div className="text-muted">
        {comment.isFormerMember && <p className="font-semibold text-sm">{author?.fullName}</p>}
        <p className="italic">This comment is no longer here.</p>
      </div>
    );
  return (
    <article aria-label={`Comment by ${author.fullName}`} className="flex gap-3">
      <Avatar size="sm" user={{ fullName: author.fullName, profileImageUrl: author.profileImageUrl }} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-2">
          <p className="min-w-0 flex-1 pt-1.5 text-sm">
            <AuthorName author={author} /> <RelativeTime className="text-muted" value={createdAt} />
            {editedAt && <span className="text-muted"> · edited</span>}
          </p>
          <CommentMenu comment={comment} />
        </div>
        {isEditing ? (
          <CommentEdit comment={comment} onClose={() => setEditing(false)} />
        ) : (
          <p className="wrap-anywhere whitespace-pre-line" dir="auto">
            {content}
          </p>
        )}
        {isPending && <Waiting>Waits for a moderator. Only you can see it.</Waiting>}
        <div className="-ms-[12px] flex flex-wrap">
          {onReply && !isPending && (
            <Button
              aria-expanded={isReplying}
              aria-label={`Reply to ${author.fullName}`}
              onClick={onReply}
              size="sm"
              variant="ghost"
            >
              Reply
            </Button>
          )}
          {isEditable && !isEditing && (
            <Button aria-label="Edit your comment" onClick={() => setEditing(true)} size="sm" variant="ghost">
              Edit
            </Button>
          )}
          {isOwn && <DeleteComment id={comment.id} postId={postId} />}
        </div>
      </div>
    </article>
  );
}

const Waiting = ({ children }: { children: string }) => (
  <p className="flex items-center gap-1.5 text-muted text-sm">
    <Clock aria-hidden="true" className="size-4" />
    {children}
  </p>
);

/** Reports a comment of another member. */
function CommentMenu({ comment: { id, author, isOwn } }: { comment: PostComment }) {
  const { me } = useMe();
  if (!me || isOwn || !author) return null;
  return (
    <IconButton
      aria-haspopup="dialog"
      className="-mt-1.5 -me-2"
      icon={EllipsisVertical}
      label={`Options for the comment by ${author.fullName}`}
      onClick={() => openContentMenu({ kind: 'comment', id }, menuAuthor(author))}
    />
  );
}

function DeleteComment({ id, postId }: { id: string; postId: string }) {
  const db = useDb();
  const [isAsking, setAsking] = useState(false);

  const [remove, { isBusy }] = useAction(() => deleteComment(db, postId, id).finally(() => setAsking(false)));

  return (
    <>
      <Button aria-label="Delete your comment" onClick={() => setAsking(true)} size="sm" variant="ghost">
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          busy={isBusy}
          cancel="Keep it"
          confirm="Delete"
          description="It's deleted for everyone. Replies to it stay."
          onClose={() => setAsking(false)}
          onConfirm={remove}
          title="Delete this comment?"
        />
      )}
    </>
  );
}

/** An own comment that the server has not stored yet, or that it has rejected. */
export function UnsentCommentItem({ comment }: { comment: UnsentComment }) {
  const db = useDb();
  const { fullName, profileImageUrl } = useMember();
  const { clientId, content, state, reason } = comment;
  const isFailed = state === 'failed';
  return (
    <article aria-label="Your comment, not sent yet" className="flex gap-3">
      <Avatar size="sm" user={{ fullName, profileImageUrl }} />
      <div className="min-w-0 flex-1">
        <p className="pt-1.5 text-sm">
          <bdi className="font-semibold">{fullName}</bdi>
        </p>
        <p className="wrap-anywhere whitespace-pre-line" dir="auto">
          {content}
        </p>
        {isFailed ? (
          <>
            <FailureText>Not sent. {reason}</FailureText>
            <div className="-ms-[12px] flex flex-wrap">
              <Button onClick={() => void retry(db, clientId)} size="sm" variant="ghost">
                Try again
              </Button>
              <Button onClick={() => void discard(db, clientId)} size="sm" variant="ghost">
                Discard
              </Button>
            </div>
          </>
        ) : (
          <Waiting>Waiting to be sent</Waiting>
        )}
      </div>
    </article>
  );
}
