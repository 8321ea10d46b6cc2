import { Lock } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_SAVE_MATCH_NOTE_CONTENT } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { flushBeforeReload } from '@/offline/device/serviceWorker.ts';
import { useCached, useDb } from '@/offline/store/cached.ts';
import { TextArea } from '@/ui';
import { fetchNote, readNote, recordNote, saveNote } from './note.ts';

/** How long after the last letter the note is saved. */
const PAUSE_MS = 800;

type PrivateNoteProps = { memberId: string; firstName: string };

/** What the member writes about a match for themself alone, saved while they write. */
export default function PrivateNote({ memberId, firstName }: PrivateNoteProps) {
  const db = useDb();
  const note = useCached({
    key: ['note', memberId],
    read: (db) => readNote(db, memberId),
    refresh: (db) => fetchNote(db, memberId),
  });
  const { draft, error, write, flush } = useAutosave({
    record: (text) => recordNote(db, memberId, text),
    save: (text) => saveNote(db, memberId, text),
  });
  const online = useOnline();
  const title = useId();
  const stored = note.data;
  const text = draft ?? stored?.content ?? '';
  return (
    <section aria-labelledby={title} className="card flex flex-col gap-3 p-5">
      <h2 className="flex items-center gap-2 font-display font-semibold text-lg" id={title}>
        <Lock aria-hidden="true" className="size-5 text-muted" />
        Private note
      </h2>
      <TextArea
        count={text.length}
        // Writing before the stored note is known could replace it.
        disabled={!stored}
        error={error}
        hint={`Only you can read this. ${firstName} cannot.`}
        label={`What you want to remember about ${firstName}`}
        maxLength={MAX_SAVE_MATCH_NOTE_CONTENT}
        onBlur={() => void flush()}
        onChange={({ target }) => write(target.value)}
        value={text}
      />
      <p className="min-h-5 text-muted text-sm" role="status">
        {stored ? stateText(stored.state, draft !== null, online) : note.error ? NOT_LOADED : ''}
      </p>
    </section>
  );
}

const NOT_LOADED = 'Your note will load once you are connected again.';

function stateText(state: 'stored' | 'waiting', isWriting: boolean, online: boolean): string {
  if (state === 'waiting' && !online) return 'Saved on this device. It is sent once you are connected again.';
  if (isWriting || state === 'waiting') return 'Saving…';
  return '';
}

type Autosave = {
  /** Keeps a text until it is saved, also when the page is left. */
  record: (text: string) => void;
  save: (text: string) => Promise<void>;
};

/** Saves a text when the member pauses, and with `flush`. `draft` is the text that is not saved yet, or null. */
function useAutosave({ record, save }: Autosave) {
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<string | null>(null);

  async function flush(): Promise<void> {
    clearTimeout(timer.current);
    const text = unsaved.current;
    if (text === null) return;
    unsaved.current = null;
    const failure = await save(text).then(
      () => undefined,
      (reason: unknown) => describeError(reason),
    );
    setError(failure);
    // The draft stays if the member has written more, or if it could not be stored.
    if (failure) {
      unsaved.current ??= text;
      record(unsaved.current);
    } else if (unsaved.current === null) setDraft(null);
  }

  function write(text: string): void {
    setDraft(text);
    unsaved.current = text;
    record(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush(), PAUSE_MS);
  }

  const flushNow = useEffectEvent(() => flush());
  useEffect(() => {
    const onHidden = () => void flushNow();
    document.addEventListener('visibilitychange', onHidden);
    const stop = flushBeforeReload(() => flushNow());
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      stop();
      void flushNow();
    };
  }, []);
  return { draft, error, write, flush };
}
