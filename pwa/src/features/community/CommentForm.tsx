import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { MAX_CREATE_COMMENT_CONTENT } from '@/api/limits.gen.ts';
import { Button, isComposing, TextArea } from '@/ui';
import { addComment } from './comments.ts';

type CommentFormProps = {
  postId: string;
  /** The comment that is replied to. */
  parentId?: string;
  label: string;
  autoFocus?: boolean;
  onSent?: () => void;
};

/** Writes a comment, or a reply to one. Control or Command with Enter sends it. */
export function CommentForm({ postId, parentId, label, autoFocus = false, onSent }: CommentFormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const id = useId();
  const isSending = useRef(false);
  useEffect(() => {
    if (autoFocus) document.getElementById(id)?.focus();
  }, [autoFocus, id]);

  async function send(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (isSending.current) return;
    if (!text.trim()) return setError('Please write something first.');
    isSending.current = true;
    const isStored = await addComment(postId, text.trim(), parentId);
    isSending.current = false;
    if (!isStored) return;
    setText('');
    onSent?.();
  }

  return (
    <form className="flex flex-col items-end gap-2" noValidate onSubmit={send}>
      <div className="w-full">
        <TextArea
          className="max-h-80"
          count={text.length}
          error={error}
          id={id}
          label={label}
          maxLength={MAX_CREATE_COMMENT_CONTENT}
          onChange={(event) => {
            setText(event.target.value);
            setError('');
          }}
          onKeyDown={(event) => {
            const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            if (sends && !isComposing(event)) void send(event);
          }}
          rows={2}
          value={text}
        />
      </div>
      <Button size="sm" type="submit">
        {parentId ? 'Reply' : 'Comment'}
      </Button>
    </form>
  );
}
