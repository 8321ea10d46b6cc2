import { useEffect, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import type { Me } from '@/api/types.ts';
import { setMe } from '@/session/session.ts';
import { toastError } from '@/ui';
import { byField, changes, type Draft, draftOf, pickFields, type SetField } from './draft.ts';
import { saveProfile } from './requests.ts';
import { onVoiceAdded, readDraft, storeDraft, withVoice } from './storedDraft.ts';

type Fields = readonly (keyof Draft)[];

export type DraftState = {
  draft: Draft;
  errors: Record<string, string>;
  busy: boolean;
  set: SetField;
  /** Whether any of these fields has an unsaved change. */
  unsaved: (fields: Fields) => boolean;
  /** Saves the changes of these fields; resolves with whether the server has stored them. */
  save: (fields: Fields) => Promise<boolean>;
  discard: (fields: Fields) => void;
};

/** The draft of the profile, stored on the device until it is saved or discarded. */
export function useDraft(me: Me): DraftState {
  const [patch, setPatch] = useState(() => readDraft(me.id));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const before = draftOf(me);
  const draft = { ...before, ...patch };
  const changed = changes(before, draft);
  useEffect(() => storeDraft(me.id, patch), [me.id, patch]);
  useEffect(() => onVoiceAdded((question, voice) => setPatch((now) => withVoice(now, question, voice))), []);

  const dropChanges = (fields: Fields) =>
    setPatch((now) =>
      pickFields(
        now,
        (Object.keys(now) as (keyof Draft)[]).filter((field) => !fields.includes(field)),
      ),
    );

  async function send(fields: Fields): Promise<boolean> {
    const sent = pickFields(changed, fields);
    if (Object.keys(sent).length > 0) await setMe(await saveProfile(sent));
    dropChanges(fields);
    return true;
  }

  function showErrors(failure: unknown): boolean {
    if (failure instanceof ApiError) setErrors(byField(failure.fieldErrors));
    toastError(describeError(failure));
    return false;
  }

  return {
    draft,
    errors,
    busy,
    set(field, value) {
      setPatch((now) => ({ ...now, [field]: value }));
      setErrors(({ [field]: _, ...others }) => others);
    },
    unsaved: (fields) => Object.keys(pickFields(changed, fields)).length > 0,
    async save(fields) {
      setBusy(true);
      const done = await send(fields).catch(showErrors);
      setBusy(false);
      return done;
    },
    discard(fields) {
      dropChanges(fields);
      setErrors({});
    },
  };
}
