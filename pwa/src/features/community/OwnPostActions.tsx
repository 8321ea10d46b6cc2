import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Post } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, ConfirmDialog, toast, useAction } from '@/ui';
import { fetchPost } from './board.ts';
import { deletePost } from './ownPosts.ts';
import { StoryDialog } from './StoryDialog.tsx';

type OwnPostActionsProps = { id: string; title: string; onDeleted?: () => void };

/** Changes or deletes an own story. Both need a connection. */
export function OwnPostActions({ id, title, onDeleted }: OwnPostActionsProps) {
  const db = useDb();
  const [edited, setEdited] = useState<Post>();
  const [isAsking, setAsking] = useState(false);
  // The text in the list's or the device's copy may be older than what a moderator has.
  const [edit, { isBusy: isLoading }] = useAction(async () => setEdited(await fetchPost(id)));
  const [remove, { isBusy: isDeleting }] = useAction(async () => {
    await deletePost(db, id).finally(() => setAsking(false));
    toast({ title: 'Your story is deleted' });
    onDeleted?.();
  });

  return (
    <>
      <Button aria-label={`Edit “${title}”`} busy={isLoading} onClick={edit} size="sm" variant="ghost">
        <Pencil aria-hidden="true" className="size-5" />
        Edit
      </Button>
      <Button aria-label={`Delete “${title}”`} onClick={() => setAsking(true)} size="sm" variant="ghost">
        <Trash2 aria-hidden="true" className="size-5" />
        Delete
      </Button>
      {edited && <StoryDialog onClose={() => setEdited(undefined)} post={edited} />}
      {isAsking && (
        <ConfirmDialog
          busy={isDeleting}
          cancel="Keep it"
          confirm="Delete"
          description="It's deleted for everyone, with its likes and comments. This can't be undone."
          onClose={() => setAsking(false)}
          onConfirm={remove}
          title="Delete this story?"
        />
      )}
    </>
  );
}
