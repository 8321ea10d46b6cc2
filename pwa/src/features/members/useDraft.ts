import { useEffect, useState } from 'react';
import { fieldErrors } from '@/api/errors.ts';
import type { Me } from '@/api/types.ts';
import { setMe } from '@/session/session.ts';
import { useAction } from '@/ui';
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

  const [save, { isBusy }] = useAction(async (fields: Fields) => {
    try {
      const sent = pickFields(changed, fields);
      if (Object.keys(sent).length > 0) await setMe(await saveProfile(sent));
      dropChanges(fields);
    } catch (failure) {
      setErrors(byField(fieldErrors(failure)));
      throw failure;
    }
  });

  return {
    draft,
    errors,
    busy: isBusy,
    set(field, value) {
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
