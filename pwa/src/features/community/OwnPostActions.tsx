import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import type { Post } from '@/api/types.ts';
import { Button, ConfirmDialog, toast, toastError } from '@/ui';
import { fetchPost } from './board.ts';
import { deletePost } from './requests.ts';
import { StoryDialog } from './StoryDialog.tsx';

type OwnPostActionsProps = { id: string; title: string; onDeleted?: () => void };

/** Changes or deletes an own story. Both need a connection. */
export function OwnPostActions({ id, title, onDeleted }: OwnPostActionsProps) {
  const [edited, setEdited] = useState<Post>();
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<'edit' | 'delete'>();

  async function edit() {
    setBusy('edit');
    try {
      // The text in the list's or the device's copy may be older than what a moderator has.
      setEdited(await fetchPost(id));
    } catch (error) {
      toastError(describeError(error), 'Error');
    }
    setBusy(undefined);
  }

  async function remove() {
    setBusy('delete');
    try {
      await deletePost(id);
      toast({ title: 'Your story is deleted' });
      onDeleted?.();
    } catch (error) {
      toastError(describeError(error), 'Error');
    }
    setBusy(undefined);
    setAsking(false);
  }

  return (
    <>
      <Button aria-label={`Edit “${title}”`} busy={busy === 'edit'} onClick={edit} size="sm" variant="ghost">
        <Pencil aria-hidden="true" className="size-5" strokeWidth={1.75} />
        Edit
      </Button>
      <Button aria-label={`Delete “${title}”`} onClick={() => setAsking(true)} size="sm" variant="ghost">
        <Trash2 aria-hidden="true" className="size-5" strokeWidth={1.75} />
        Delete
      </Button>
      {edited && <StoryDialog onClose={() => setEdited(undefined)} post={edited} />}
      {isAsking && (
        <ConfirmDialog
          busy={busy === 'delete'}
          cancel="Keep it"
          confirm="Delete"
          description="It goes for everyone, with its likes and comments, and does not come back."
          onClose={() => setAsking(false)}
          onConfirm={remove}
          title="Delete this story?"
        />
      )}
    </>
  );
}
