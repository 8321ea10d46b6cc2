import { MAX_CREATE_COMMENT_CONTENT } from '@/api/limits.gen.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, isComposing, TextArea, useForm } from '@/ui';
import { addComment } from './comments.ts';

type CommentFormProps = {
  postId: string;
  /** The comment that is replied to. */
  parentId?: string;
  label: string;
  autoFocus?: boolean;
  onSent?: () => void;
};

const noText = { text: '' };

export const checkComment = ({ text }: typeof noText) => ({
  text: text.trim() ? undefined : 'Please write something first.',
});

/** Writes a comment, or a reply to one. Control or Command with Enter sends it. */
export function CommentForm({ postId, parentId, label, autoFocus = false, onSent }: CommentFormProps) {
  const db = useDb();
  const form = useForm(noText, { check: checkComment });

  async function send({ text }: typeof noText) {
    if (!(await addComment(db, postId, text.trim(), parentId))) return;
    form.reset(noText);
    onSent?.();
  }

  return (
    <form className="flex flex-col items-end gap-2" noValidate onSubmit={form.submit(send)}>
      <div className="w-full">
        <TextArea
          autoFocus={autoFocus}
          className="max-h-80"
          count={form.values.text.length}
          label={label}
          maxLength={MAX_CREATE_COMMENT_CONTENT}
          onKeyDown={(event) => {
            const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            if (!sends || isComposing(event)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          rows={2}
          {...form.field('text')}
        />
      </div>
      <Button size="sm" type="submit">
        {parentId ? 'Reply' : 'Comment'}
      </Button>
    </form>
  );
}
