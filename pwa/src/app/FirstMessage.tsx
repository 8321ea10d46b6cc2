import { SendHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_REQUEST_CONVERSATION_CONTENT } from '@/api/limits.gen.ts';
import type { MessageTarget } from '@/features/matching/celebration.ts';
import { MESSAGE_NOT_STORED } from '@/features/messaging/drafts.ts';
import { useNudge } from '@/features/moderation/useNudge.tsx';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { useDb } from '@/offline/store/cached.ts';

type FirstMessageProps = MessageTarget & {
  name: string;
  /** Called when the member begins to write. */
  onWriting: () => void;
  /** Called once the message is stored; offline it is sent later. */
  onSent: () => void;
};

/** A field for the first message to a match, shown over its celebration. */
export default function FirstMessage({ conversationId, userId, name, onWriting, onSent }: FirstMessageProps) {
  const db = useDb();
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const sending = useRef(false);
  const { filter, question } = useNudge();

  async function send() {
    const content = text.trim();
    if (!content || sending.current) return;
    sending.current = true;
    try {
      if (!(await filter.confirmSend({ userId, text: content }))) return;
      await enqueue(db, { kind: 'message', conversationId, recipientId: userId, content });
      onSent();
    } catch {
      setFailed(true);
    } finally {
      sending.current = false;
    }
  }

  return (
    <>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          aria-label={`Say hello to ${name}`}
          autoComplete="off"
          className="h-12 min-w-0 flex-1 rounded-full border border-control bg-surface px-5 text-base text-ink"
          dir="auto"
          enterKeyHint="send"
          maxLength={MAX_REQUEST_CONVERSATION_CONTENT}
          onChange={({ target: { value } }) => {
            setText(value);
            filter.onInput({ userId, text: value.trim() });
          }}
          onFocus={onWriting}
          placeholder={`Say hello to ${name}`}
          value={text}
        />
        <SendButton disabled={!text.trim()} />
      </form>
      {failed && (
        <p className="mt-2 text-sm" role="alert">
          {MESSAGE_NOT_STORED}
        </p>
      )}
      {question}
    </>
  );
}

const SendButton = ({ disabled }: { disabled: boolean }) => (
  <button
    aria-label="Send message"
    className="grid size-12 shrink-0 place-items-center rounded-full bg-ember text-on-ember focus-visible:outline-on-photo disabled:opacity-45"
    disabled={disabled}
    type="submit"
  >
    <SendHorizontal aria-hidden="true" className="size-5" />
  </button>
);
