import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { draftChanged } from '@/base/events.ts';
import { flushBeforeReload } from '@/offline/device/serviceWorker.ts';
import { enqueue, storeInterrupted } from '@/offline/outbox/outbox.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { DraftRow } from '@/offline/store/db.ts';
import { popStashedDraft, stashDraft, storeDraft } from './drafts.ts';

const DRAFT_SAVE_MS = 300;

/** The message that the text replies to, which is stored with it, and its setter. */
type Reply = { seq: number | null; set: (seq: number | null) => void };

/**
 * Stores the text of `unsaved` every DRAFT_SAVE_MS, when the page is hidden and when the component is unmounted. A page
 * that is left has no time for the database: it stashes the text.
 */
function useSaving(conversationId: string, replySeq: RefObject<number | null>) {
  const db = useDb();
  const [notStored, setNotStored] = useState(false);
  /** The text that is not stored yet, also while it is being stored: the page may be left before. */
  const unsaved = useRef<string | null>(null);
  const saving = useRef<Promise<void>>(undefined);
  /** The text that could not be stored: it is saved again when it changes or the page is hidden, not every 300 ms. */
  const failedContent = useRef<string | null>(null);

  const save = useCallback((): Promise<void> => {
    async function store() {
      const content = unsaved.current;
      if (content === null) return;
      try {
        await storeDraft(db, conversationId, content, replySeq.current ?? undefined);
        failedContent.current = null;
        setNotStored(false);
        if (unsaved.current === content) unsaved.current = null;
        // What was written meanwhile is stored too.
        else await store();
      } catch {
        if (db.session.isStopped) {
          // Signing out closes the database before this component is unmounted, and nothing may be stored after it.
          unsaved.current = null;
          return;
        }
        failedContent.current = content;
        setNotStored(true);
      }
    }
    saving.current ??= store().finally(() => {
      saving.current = undefined;
    });
    return saving.current;
  }, [db, conversationId, replySeq]);

  useEffect(() => {
    const flush = () => void save();
    const stash = () => {
      if (unsaved.current !== null)
        stashDraft({ conversationId, content: unsaved.current, replyTo: replySeq.current ?? undefined });
    };
    const discardStash = ({ persisted }: PageTransitionEvent) => persisted && popStashedDraft(conversationId);
    document.addEventListener('visibilitychange', flush);
    const stop = flushBeforeReload(save);
    addEventListener('pagehide', stash);
    addEventListener('pageshow', discardStash);
    const timer = setInterval(() => unsaved.current !== failedContent.current && flush(), DRAFT_SAVE_MS);
    return () => {
      clearInterval(timer);
      stop();
      document.removeEventListener('visibilitychange', flush);
      removeEventListener('pagehide', stash);
      removeEventListener('pageshow', discardStash);
      flush();
    };
  }, [conversationId, replySeq, save]);

  return { unsaved, notStored };
}

/** The text and the replied-to message, stored on the device until they are sent. */
function useStoredText(conversationId: string, reply: Reply) {
  const db = useDb();
  const [text, setText] = useState('');
  /** Whether the field has content that the stored draft must not replace. */
  const loaded = useRef(false);
  const replySeq = useRef(reply.seq);
  const currentText = useRef('');
  const { set: setReply } = reply;
  const { unsaved, notStored } = useSaving(conversationId, replySeq);

  useEffect(() => {
    let lastShown: string | null = null;
    const showDraft = (draft: Pick<DraftRow, 'content' | 'replyTo'> | undefined) => {
      if (!draft && lastShown === null) return;
      // Text that the member has typed since stays.
      if (loaded.current && currentText.current !== (lastShown ?? '')) return;
      loaded.current = true;
      lastShown = draft?.content ?? '';
      currentText.current = lastShown;
      setText(lastShown);
      if (draft?.replyTo) setReply(draft.replyTo);
    };
    const read = async () => {
      await storeInterrupted(db);
      showDraft(await db.drafts.get(conversationId));
    };
    const reread = () => void read().catch(() => undefined);
    const stashed = popStashedDraft(conversationId);
    if (stashed) {
      showDraft(stashed);
      unsaved.current = stashed.content;
    } else reread();
    return draftChanged.subscribe(reread);
  }, [db, conversationId, setReply, unsaved]);

  useEffect(() => {
    if (replySeq.current === reply.seq) return;
    replySeq.current = reply.seq;
    unsaved.current = currentText.current;
  }, [reply.seq, unsaved]);

  const show = (next: string) => {
    loaded.current = true;
    currentText.current = next;
    setText(next);
  };
  return { text, show, currentText, unsaved, replySeq, notStored };
}

/**
 * The text being written. It survives leaving, reloading and being offline, and is cleared only by the transaction that
 * stores the message in the outbox.
 */
export function useMessageDraft(conversationId: string, recipientId: string, reply: Reply) {
  const db = useDb();
  const { text, show, currentText, unsaved, replySeq, notStored } = useStoredText(conversationId, reply);
  const [failed, setFailed] = useState(false);
  const sending = useRef(false);

  const write = (next: string) => {
    unsaved.current = next;
    show(next);
  };

  /** Sends the text unless it is blank. Resolves with whether it was stored. */
  const send = async (): Promise<boolean> => {
    const content = text.trim();
    if (!content || sending.current) return false;
    sending.current = true;
    // Cleared first: a save after the transaction would restore the sent text as a draft, and so would the stash of a page
    // that is being left.
    unsaved.current = null;
    popStashedDraft(conversationId);
    try {
      const replyTo = reply.seq ?? undefined;
      await enqueue(db, { kind: 'message', conversationId, recipientId, content, replyTo });
      setFailed(false);
      replySeq.current = null;
      reply.set(null);
      // Text typed meanwhile stays, without the part that was sent.
      const now = currentText.current.trimStart();
      show(now.startsWith(content) ? now.slice(content.length).trimStart() : currentText.current);
      unsaved.current = currentText.current;
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
