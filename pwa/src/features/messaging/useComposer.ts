import { useCallback, useEffect, useRef, useState } from 'react';
import { socket } from '@/live/start.ts';
import { getDb } from '@/offline/db.ts';
import { enqueue } from '@/offline/outbox.ts';

const DRAFT_MS = 300;

/**
 * The text being written. It survives leaving, reloading and being offline, and
 * is cleared only by the same transaction that stores the message in the outbox.
 */
export function useDraft(conversationId: string, recipientId: string) {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const unsaved = useRef<string | null>(null);
  const sending = useRef(false);

  const save = useCallback(async () => {
    const content = unsaved.current;
    if (content === null) return;
    unsaved.current = null;
    const { drafts } = getDb();
    if (content) await drafts.put({ conversationId, content, updatedAt: Date.now() });
    else await drafts.delete(conversationId);
  }, [conversationId]);

  useEffect(() => {
    void getDb()
      .drafts.get(conversationId)
      .then((draft) => draft && setText((now) => now || draft.content));
    const flush = () => void save().catch(() => undefined);
    document.addEventListener('visibilitychange', flush);
    const timer = setInterval(flush, DRAFT_MS);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', flush);
      flush();
    };
  }, [conversationId, save]);

  const write = (next: string) => {
    unsaved.current = next;
    setText(next);
  };

  /** Blank is ignored; false when nothing was stored. */
  const send = async (): Promise<boolean> => {
    const content = text.trim();
    if (!content || sending.current) return false;
    sending.current = true;
    // Before it is stored: a save that came after would bring the sent text back as a draft.
    unsaved.current = null;
    try {
      await enqueue({ kind: 'message', conversationId, recipientId, content });
      setFailed(false);
      // What was typed while it was being stored stays.
      setText((now) => (now.trim() === content ? '' : now));
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
