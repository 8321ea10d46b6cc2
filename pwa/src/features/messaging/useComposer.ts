import { useCallback, useEffect, useRef, useState } from 'react';
import { socket } from '@/live/start.ts';
import { flushBeforeReload } from '@/offline/device/serviceWorker.ts';
import { enqueue, storeNoted } from '@/offline/outbox/outbox.ts';
import { type DraftRow, getDb, SignedOutError } from '@/offline/store/db.ts';
import { noteDraft, popNotedDraft, storeDraft } from './drafts.ts';

const DRAFT_MS = 300;

/** What the text answers to, and the function that changes it; stored with the text. */
type Reply = { seq: number | null; set: (seq: number | null) => void };

/** The text, and what it answers to, as they are stored on the device until they are sent. */
function useStoredText(conversationId: string, reply: Reply) {
  const [text, setText] = useState('');
  const [notStored, setNotStored] = useState(false);
  const unsaved = useRef<string | null>(null);
  /** What the device could not store: tried again when it changes or the page is left, not every 300 ms. */
  const refused = useRef<string | null>(null);
  /** The field holds something of its own, which the stored draft must not replace. */
  const loaded = useRef(false);
  const answers = useRef(reply.seq);
  const written = useRef('');
  const { set: setReply } = reply;

  const save = useCallback(async () => {
    const content = unsaved.current;
    if (content === null) return;
    unsaved.current = null;
    try {
      await storeDraft(conversationId, content, answers.current ?? undefined);
      refused.current = null;
      setNotStored(false);
    } catch (error) {
      // Signing out closes the database under a screen that is about to go.
      if (error instanceof SignedOutError) return;
      unsaved.current ??= content;
      refused.current = content;
      setNotStored(true);
    }
  }, [conversationId]);

  useEffect(() => {
    let drawn: string | null = null;
    const draw = (draft: Pick<DraftRow, 'content' | 'replyTo'> | undefined) => {
      if (!draft && drawn === null) return;
      // What the member has written since stays.
      if (loaded.current && written.current !== drawn) return;
      loaded.current = true;
      drawn = draft?.content ?? '';
      written.current = drawn;
      setText(drawn);
      if (draft?.replyTo) setReply(draft.replyTo);
    };
    const read = async () => {
      await storeNoted(getDb());
      draw(await getDb().drafts.get(conversationId));
    };
    const reread = () => void read().catch(() => undefined);
    const noted = popNotedDraft(conversationId);
    if (noted) {
      draw(noted);
      unsaved.current = noted.content;
    } else reread();
    const flush = () => void save();
    const leave = () => {
      if (unsaved.current)
        noteDraft({ conversationId, content: unsaved.current, replyTo: answers.current ?? undefined });
    };
    const back = ({ persisted }: PageTransitionEvent) => persisted && popNotedDraft(conversationId);
    document.addEventListener('visibilitychange', flush);
    const stop = flushBeforeReload(save);
    addEventListener('pagehide', leave);
    addEventListener('pageshow', back);
    addEventListener('hw:draft', reread);
    const timer = setInterval(() => unsaved.current !== refused.current && flush(), DRAFT_MS);
    return () => {
      clearInterval(timer);
      stop();
      document.removeEventListener('visibilitychange', flush);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', back);
      removeEventListener('hw:draft', reread);
      flush();
    };
  }, [conversationId, save, setReply]);

  useEffect(() => {
    if (answers.current === reply.seq) return;
    answers.current = reply.seq;
    unsaved.current = written.current;
  }, [reply.seq]);

  const show = (next: string) => {
    loaded.current = true;
    written.current = next;
    setText(next);
  };
  return { text, show, written, unsaved, answers, notStored };
}

/**
 * The text being written. It survives leaving, reloading and being offline, and
 * is cleared only by the same transaction that stores the message in the outbox.
 */
export function useDraft(conversationId: string, recipientId: string, reply: Reply) {
  const { text, show, written, unsaved, answers, notStored } = useStoredText(conversationId, reply);
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

  return { text, write, send, failed, notStored };
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
