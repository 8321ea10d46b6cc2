import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { fieldErrors } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import type { Me } from '@/api/types.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { setMe } from '@/session/session.ts';
import { useAction } from '@/ui';
import {
  byField,
  changes,
  type Draft,
  draftOf,
  pickFields,
  type SetField,
  withStoredVoices,
} from './profileDraft.ts';
import { saveProfile } from './profileRequests.ts';
import {
  areTexts,
  holdTexts,
  readTexts,
  sendTexts,
  textsIn,
  type WaitingTexts,
  withoutSaved,
} from './profileTexts.ts';
import { onVoiceAdded, readDraft, storeDraft, withVoice } from './storedDraft.ts';

type Fields = readonly (keyof Draft)[];

export type DraftState = {
  draft: Draft;
  errors: Record<string, string>;
  busy: boolean;
  /** The changed texts that save themselves; null if there are none. */
  waiting: WaitingTexts | null;
  set: SetField;
  /** Whether any of these fields has an unsaved change. */
  unsaved: (fields: Fields) => boolean;
  /**
   * Saves the changes of these fields. Resolves with false if they could not be saved; with 'kept' if they are texts and
   * the server cannot be reached: they are saved later.
   */
  save: (fields: Fields) => Promise<'saved' | 'kept' | false>;
  discard: (fields: Fields) => void;
};

/** The draft of the profile, stored on the device until it is saved or discarded. */
export function useProfileDraft(me: Me): DraftState {
  const db = useDb();
  const [patch, setPatch] = useState(() => readDraft(db));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const before = draftOf(me);
  const draft = withStoredVoices({ ...before, ...patch }, before.prompts);
  const changed = changes(before, draft);
  useEffect(() => storeDraft(db, patch), [db, patch]);
  useEffect(
    () => onVoiceAdded(db, (question, voice) => setPatch((now) => withVoice(now, question, voice))),
    [db],
  );
  const { waiting, touch } = useTexts(me, patch, changed, setPatch);

  const dropChanges = (fields: Fields) => {
    touch();
    setPatch((now) => omitFields(now, fields));
  };

  const { save, isBusy } = useSave(me, changed, {
    onSaved: dropChanges,
    onRejected: (failure) => setErrors(byField(fieldErrors(failure))),
  });

  return {
    draft,
    errors,
    busy: isBusy,
    waiting,
    set(field, value) {
      touch();
      setPatch((now) => ({ ...now, [field]: value }));
      setErrors(({ [field]: _, ...others }) => others);
    },
    unsaved: (fields) => Object.keys(pickFields(changed, fields)).length > 0,
    save,
    discard(fields) {
      dropChanges(fields);
      setErrors({});
    },
  };
}

const omitFields = (patch: Partial<Draft>, fields: Fields): Partial<Draft> =>
  pickFields(
    patch,
    (Object.keys(patch) as (keyof Draft)[]).filter((field) => !fields.includes(field)),
  );

type SaveOptions = { onSaved: (fields: Fields) => void; onRejected: (failure: unknown) => void };

/** Returns `save` of the draft. */
function useSave(me: Me, changed: Partial<Draft>, { onSaved, onRejected }: SaveOptions) {
  const db = useDb();
  const [run, { isBusy }] = useAction(async (fields: Fields, onKept: () => void) => {
    const sent = pickFields(changed, fields);
    try {
      if (Object.keys(sent).length > 0) await setMe(await saveProfile(sent));
      onSaved(fields);
    } catch (failure) {
      const isUnreachable = failure instanceof ApiError && failure.isTemporary;
      if (!isUnreachable || !areTexts(sent)) {
        onRejected(failure);
        throw failure;
      }
      // Texts of other sections that wait are sent with these.
      await sendTexts(db, me, changed);
      onKept();
    }
  });

  const save: DraftState['save'] = async (fields) => {
    let result: 'saved' | 'kept' = 'saved';
    const hasSucceeded = await run(fields, () => {
      result = 'kept';
    });
    return hasSucceeded && result;
  };
  return { save, isBusy };
}

/**
 * Stores the changed texts in the outbox with every change, and adds those to the draft that an earlier page has stored
 * there. `touch` says that the next change is the member's.
 */
function useTexts(
  me: Me,
  patch: Partial<Draft>,
  changed: Partial<Draft>,
  setPatch: (change: (now: Partial<Draft>) => Partial<Draft>) => void,
): { waiting: WaitingTexts | null; touch: () => void } {
  const db = useDb();
  const isTouched = useRef(false);
  const waiting = useLive((db) => readTexts(db, me), [me]);
  const isRestored = useRef(false);
  useEffect(() => {
    if (waiting === undefined || isRestored.current) return;
    isRestored.current = true;
    // A page that was killed may not have written its localStorage.
    if (waiting) setPatch((now) => ({ ...waiting.changes, ...now }));
  }, [waiting, setPatch]);
  const hold = useEffectEvent(() => void holdTexts(db, me, textsIn(changed)).catch(() => undefined));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the draft
  useEffect(() => {
    if (!isTouched.current) return;
    isTouched.current = false;
    hold();
  }, [patch]);
  useEffect(
    () =>
      senderOf(db).onSettled(({ ok, row }) => {
        const { body } = row;
        if (ok && body.kind === 'profileTexts') setPatch((now) => withoutSaved(now, body));
      }),
    [setPatch, db],
  );
  return {
    waiting: waiting ?? null,
    touch: () => {
      isTouched.current = true;
    },
  };
}
