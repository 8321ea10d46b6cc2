import { SendHorizontal, X } from 'lucide-react';
import {
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { MAX_SEND_MESSAGE_CONTENT } from '@/api/limits.gen.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { AutoGrowTextarea, cn, IconButton, isComposing } from '@/ui';
import { DRAFT_NOT_STORED, MESSAGE_NOT_STORED } from './drafts.ts';
import { EmojiButton } from './EmojiButton.tsx';
import { Quote } from './Quote.tsx';
import { type ReplyTarget, useMessageFilter, useSlots } from './slots.ts';
import { useMessageDraft } from './useMessageDraft.ts';
import { useTypingSignal } from './useTypingSignal.ts';

const COUNT_FROM = 3600;

type Reply = {
  /** The seq of the message that is replied to. */
  replyTo: number | null;
  setReplyTo: (seq: number | null) => void;
  onSent: () => void;
};

type ComposerProps = Reply & { conversation: ConversationRow };

/** Returns a stable object from which a recording reads the replied-to message when it is sent. */
function useReplyTarget({ replyTo, setReplyTo, onSent }: Reply): ReplyTarget {
  const onReplySent = () => {
    setReplyTo(null);
    onSent();
  };
  const latest = useRef({ replyTo, sent: onReplySent });
  useEffect(() => {
    latest.current = { replyTo, sent: onReplySent };
  });
  const [replyTarget] = useState(() => ({
    seq: () => latest.current.replyTo,
    sent: () => latest.current.sent(),
  }));
  return replyTarget;
}

/** The text that is being written, and functions that change and send it. */
function useComposer(conversation: ConversationRow, { replyTo, setReplyTo, onSent }: Reply) {
  const { id, userId } = conversation;
  const { text, write, send, failed, notStored } = useMessageDraft(id, userId, {
    seq: replyTo,
    set: setReplyTo,
  });
  const { confirmSend, textChanged } = useMessageFilter({ userId, text: text.trim() });
  const typing = useTypingSignal(userId);
  /** Below 0 for a draft with a shared text: the field accepts no more than the maximum. */
  const charactersLeft = MAX_SEND_MESSAGE_CONTENT - text.trim().length;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (replyTo !== null) field.current?.focus();
  }, [replyTo]);

  async function submit() {
    typing.stop();
    if (charactersLeft < 0) return;
    if ((await confirmSend()) && (await send())) onSent();
    field.current?.focus();
  }

  function change(value: string) {
    write(value);
    textChanged(value);
    if (value.trim()) typing.typed();
    else typing.stop();
  }

  return { text, change, submit, charactersLeft, field, failed, notStored, stopTyping: typing.stop };
}

/** The text field: Enter sends, Shift+Enter starts a new line, and the field grows with the text. */
export function Composer({ conversation, ...reply }: ComposerProps) {
  const { replyTo, setReplyTo } = reply;
  const { user } = conversation;
  const slots = useSlots();
  const context = { conversation, replyTarget: useReplyTarget(reply) };
  const composer = useComposer(conversation, reply);
  const { text, change, submit, charactersLeft, field, failed } = composer;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && replyTo !== null) setReplyTo(null);
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    void submit();
  }

  return (
    <form
      className="border-line border-t bg-surface px-[12px] pt-2 pb-[max(8px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {(failed || composer.notStored) && (
        <NotStored>{failed ? MESSAGE_NOT_STORED : DRAFT_NOT_STORED}</NotStored>
      )}
      {slots.composerNotice?.(context)}
      {replyTo !== null && (
        <ReplyBar
          author={user.firstName}
          conversationId={conversation.id}
          onClose={() => setReplyTo(null)}
          seq={replyTo}
        />
      )}
      {slots.composerReplacement}
      <div
        className={cn('flex flex-wrap items-end gap-[8px]', Boolean(slots.composerReplacement) && 'hidden')}
      >
        {slots.composerActions?.(context)}
        <Field
          name={user.firstName}
          onBlur={composer.stopTyping}
          onChange={({ target }: ChangeEvent<HTMLTextAreaElement>) => change(target.value)}
          onKeyDown={onKeyDown}
          ref={field}
          value={text}
        />
        <EmojiButton field={field} onWrite={change} />
        <SendButton disabled={!text.trim() || charactersLeft < 0} />
      </div>
      {text.length >= COUNT_FROM && <CharactersLeft count={charactersLeft} />}
    </form>
  );
}

const NotStored = ({ children }: { children: string }) => (
  <p className="px-1 pb-1 text-danger text-sm" role="alert">
    {children}
  </p>
);

function CharactersLeft({ count }: { count: number }) {
  return (
    <p
      className={cn('pt-1 pe-14 text-end text-xs tabular-nums', count < 0 ? 'text-danger' : 'text-muted')}
      role="status"
    >
      {count < 0
        ? `${-count} characters too many: shorten it or send it in parts`
        : `${count} characters left`}
    </p>
  );
}

type ReplyBarProps = { author: string; conversationId: string; seq: number; onClose: () => void };

/** The message that is replied to, with a button to cancel. */
function ReplyBar({ onClose, ...quoted }: ReplyBarProps) {
  return (
    <div className="flex items-center gap-1 pb-2">
      <Quote {...quoted} className="flex-1 border-ember bg-raised" row={undefined} />
      <IconButton icon={X} label="Do not reply to this message" onClick={onClose} />
    </div>
  );
}

function Field({ name, ...props }: { name: string } & ComponentProps<'textarea'>) {
  return (
    <AutoGrowTextarea
      {...props}
      aria-label={`Message to ${name}`}
      autoComplete="off"
      className="max-h-36 min-h-11 min-w-0 flex-1 basis-16 resize-none rounded-card border border-control bg-paper px-[16px] py-2.5 text-base text-ink placeholder:whitespace-nowrap focus-visible:-outline-offset-2 max-[359px]:px-[12px]"
      dir="auto"
      enterKeyHint="send"
      maxLength={MAX_SEND_MESSAGE_CONTENT}
      placeholder="Write a message"
      rows={1}
    />
  );
}

function SendButton({ disabled }: { disabled: boolean }) {
  return (
    <button
      aria-label="Send message"
      className={cn(
        // Grows less than the text, as IconButton does.
        'grid size-[max(44px,1.75rem)] shrink-0 place-items-center rounded-full bg-ember text-on-ember transition-colors hover:bg-ember-strong',
        'disabled:cursor-not-allowed disabled:bg-raised disabled:text-muted',
      )}
      disabled={disabled}
      // Keeps the focus, and with it the phone's keyboard, in the field.
      onPointerDown={(event) => event.preventDefault()}
      type="submit"
    >
      <SendHorizontal aria-hidden="true" className="size-[20px]" />
    </button>
  );
}
