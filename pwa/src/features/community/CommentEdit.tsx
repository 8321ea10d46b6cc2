import { useState } from 'react';
import { MAX_EDIT_COMMENT_CONTENT } from '@/api/limits.gen.ts';
import type { PostComment } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, TextArea, useForm } from '@/ui';
import { checkComment } from './CommentForm.tsx';
import { editComment } from './comments.ts';

/** Whether the time in which the author may change a comment is not over. The server decides by its own clock. */
export function useIsEditable({ editableUntil, isOwn }: PostComment): boolean {
  const [openedAt] = useState(() => Date.now());
  return isOwn && editableUntil !== undefined && Date.parse(editableUntil) > openedAt;
}

/** The form in place of an own comment's text. */
export function CommentEdit({ comment, onClose }: { comment: PostComment; onClose: () => void }) {
  const db = useDb();
  const form = useForm({ text: comment.content }, { check: checkComment });

  async function save({ text }: { text: string }) {
    await editComment(db, comment, text.trim());
    onClose();
  }

  return (
    <form className="mt-1 flex flex-col items-end gap-2" noValidate onSubmit={form.submit(save)}>
      <div className="w-full">
        <TextArea
          autoFocus
          className="max-h-80"
          count={form.values.text.length}
          label="Change your comment"
          maxLength={MAX_EDIT_COMMENT_CONTENT}
          rows={2}
          {...form.field('text')}
        />
      </div>
      <div className="flex gap-2">
        <Button onClick={onClose} size="sm" variant="ghost">
          Cancel
        </Button>
        <Button busy={form.isBusy} size="sm" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
