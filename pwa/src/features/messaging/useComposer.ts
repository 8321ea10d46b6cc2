import { useCallback, useEffect, useRef, useState } from 'react';
import { socket } from '@/live/start.ts';
import { getDb } from '@/offline/db.ts';
import { enqueue } from '@/offline/outbox.ts';

const DRAFT_MS = 300;

/** What the text answers to, and the way to change it; kept with the text. */
type Reply = { seq: number | null; set: (seq: number | null) => void };

/** The text, and what it answers to, as they are kept on the device until they are sent. */
function useKeptText(conversationId: string, reply: Reply) {
  const [text, setText] = useState('');
  const unsaved = useRef<string | null>(null);
  const answers = useRef(reply.seq);
  const written = useRef('');
  const { set: setReply } = reply;

  const save = useCallback(async () => {
    const content = unsaved.current;
    if (content === null) return;
    unsaved.current = null;
    const { drafts } = getDb();
    const replyTo = answers.current ?? undefined;
    if (content || replyTo) await drafts.put({ conversationId, content, replyTo, updatedAt: Date.now() });
    else await drafts.delete(conversationId);
  }, [conversationId]);

  useEffect(() => {
    void getDb()
      .drafts.get(conversationId)
      .then((draft) => {
        if (!draft || unsaved.current !== null) return;
        written.current = draft.content;
        setText(draft.content);
        if (draft.replyTo) setReply(draft.replyTo);
      })
      .catch(() => undefined);
    const flush = () => void save().catch(() => undefined);
    document.addEventListener('visibilitychange', flush);
    const timer = setInterval(flush, DRAFT_MS);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', flush);
      flush();
    };
  }, [conversationId, save, setReply]);

  useEffect(() => {
    if (answers.current === reply.seq) return;
    answers.current = reply.seq;
    unsaved.current = written.current;
  }, [reply.seq]);

  const show = (next: string) => {
    written.current = next;
    setText(next);
  };
  return { text, show, written, unsaved, answers };
}

/**
 * The text being written. It survives leaving, reloading and being offline, and
 * is cleared only by the same transaction that stores the message in the outbox.
 */
export function useDraft(conversationId: string, recipientId: string, reply: Reply) {
  const { text, show, written, unsaved, answers } = useKeptText(conversationId, reply);
  const [failed, setFailed] = useState(false);
  const sending = useRef(false);

  const write = (next: string) => {
    unsaved.current = next;
    show(next);
  };

  /** Blank is ignored; false when nothing was stored. */
  const send = async (): Promise<boolean> => {
    const content = text.trim();
    if (!content || sending.current) return false;
    sending.current = true;
    // Before it is stored: a save that came after would bring the sent text back as a draft.
    unsaved.current = null;
    try {
      const replyTo = reply.seq ?? undefined;
      await enqueue({ kind: 'message', conversationId, recipientId, content, replyTo });
      setFailed(false);
      answers.current = null;
      reply.set(null);
      // What was typed while it was being stored stays, without what went.
      const now = written.current.trimStart();
      show(now.startsWith(content) ? now.slice(content.length).trimStart() : written.current);
      unsaved.current = written.current;
      return true;
    } catch {
      unsaved.current ??= text;
      setFailed(true);
      return false;
    } finally {
      sending.current = false;
    }
  };

  return { text, write, send, failed };
}

const REPEAT_MS = 3000;
const IDLE_MS = 4000;

/** Tells the other side that we write: at most every 3 s, and that we stopped, by itself after 4 s. */
export function useTypingSignal(recipientId: string) {
  const lastSent = useRef(0);
  const idle = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stop = useCallback(() => {
    clearTimeout(idle.current);
    if (lastSent.current === 0) return;
    lastSent.current = 0;
    socket.send({ type: 'typing_stop', recipientId });
  }, [recipientId]);

  const typed = useCallback(() => {
    clearTimeout(idle.current);
    idle.current = setTimeout(stop, IDLE_MS);
    if (Date.now() - lastSent.current < REPEAT_MS) return;
    lastSent.current = Date.now();
    socket.send({ type: 'typing_start', recipientId });
  }, [recipientId, stop]);

  useEffect(() => stop, [stop]);
  return { typed, stop };
}
