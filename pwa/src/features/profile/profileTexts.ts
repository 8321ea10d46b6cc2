/**
 * Texts of the own profile, which the app saves by itself: each change is a row of the outbox at once, so that neither a
 * lost connection nor the end of the browser loses it. It is sent a minute after the last letter, because a text that is
 * being written is not to be read by others, or at once when the member saves it.
 */
import type { Me, Prompt } from '@/api/types.ts';
import type { InSession } from '@/base/pageSession.ts';
import { enqueue, PROFILE_TEXTS_ROW, type Settled } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ProfileTexts } from '@/offline/store/rows.ts';
import { refreshMe, setMe } from '@/session/session.ts';
import { toastError } from '@/ui';
import { type Draft, draftOf, pickFields } from './profileDraft.ts';
import { readDraft, storeDraft } from './storedDraft.ts';

const HOLD_MS = 60_000;

const textFields = ['bio', 'loveReflection', 'occupation', 'prompts'] as const;
type TextField = (typeof textFields)[number];

/** What the device knows of the changed texts: whether they wait, or why the server has rejected them. */
export type WaitingTexts = {
  changes: Partial<Pick<Draft, TextField>>;
  rejection: 'changedElsewhere' | string | null;
};

/** Returns the changes that are saved by themselves. Prompts are not if a recording is to be deleted with them. */
export function textsIn(changed: Partial<Draft>): Partial<Pick<Draft, TextField>> {
  const { prompts: _, ...others } = pickFields(changed, textFields);
  return changed.removedVoiceIds?.length ? others : pickFields(changed, textFields);
}

/** Whether all of the changes are saved by themselves. */
export const areTexts = (changed: Partial<Draft>): boolean =>
  Object.keys(changed).length === Object.keys(textsIn(changed)).length;

const writtenPrompts = (prompts: Prompt[]) => prompts.map(({ question, answer }) => ({ question, answer }));

function itemOf(me: Me, changed: Partial<Draft>): ProfileTexts {
  const { prompts, ...texts } = textsIn(changed);
  const stored = draftOf(me);
  return {
    kind: 'profileTexts',
    texts: {
      ...texts,
      ...(prompts && {
        prompts: prompts.map(({ question, answer, voice }) => ({
          question,
          answer,
          ...(voice && { voiceId: voice.id }),
        })),
      }),
    },
    before: {
      ...pickFields(stored, Object.keys(texts) as TextField[]),
      ...(prompts && { prompts: writtenPrompts(stored.prompts) }),
    },
  };
}

/** Stores the changed texts of a draft while the member is writing; without any, removes those that are stored. */
export async function holdTexts(db: HeartwardDb, me: Me, changed: Partial<Draft>): Promise<void> {
  if (Object.keys(textsIn(changed)).length === 0) await db.outbox.delete(PROFILE_TEXTS_ROW);
  else await enqueue(db, itemOf(me, changed), { holdMs: HOLD_MS });
}

/** Has the changed texts sent as soon as the server can be reached. */
export async function sendTexts(db: HeartwardDb, me: Me, changed: Partial<Draft>): Promise<void> {
  await enqueue(db, itemOf(me, changed));
}

/** Returns the changed texts that are not on the server; null if there are none. */
export async function readTexts(db: HeartwardDb, me: Me): Promise<WaitingTexts | null> {
  const row = await db.outbox.get(PROFILE_TEXTS_ROW);
  if (row?.body.kind !== 'profileTexts') return null;
  const { prompts, ...texts } = row.body.texts;
  const voices = me.prompts.flatMap(({ voice }) => voice ?? []);
  const changes = {
    ...texts,
    ...(prompts && {
      prompts: prompts.map(({ question, answer, voiceId }) => ({
        question,
        answer,
        voice: voices.find(({ id }) => id === voiceId) ?? null,
      })),
    }),
  };
  if (row.state !== 'failed') return { changes, rejection: null };
  return { changes, rejection: row.status === 409 ? 'changedElsewhere' : (row.reason ?? '') };
}

/** Shows what the outbox has saved, or why it could not. */
export function handleSavedTexts(owner: InSession, result: Settled): void {
  if (result.row.body.kind !== 'profileTexts') return;
  if (!result.ok) {
    void refreshMe();
    toastError(result.reason, 'Your profile text was not saved');
    return;
  }
  const me = result.response as Me;
  storeDraft(owner, withoutSaved(readDraft(owner), result.row.body));
  void setMe(me);
}

/** Returns the draft without the texts that were saved: later they would hide what another device writes. */
export function withoutSaved(draft: Partial<Draft>, { texts }: ProfileTexts): Partial<Draft> {
  const isSaved = (field: keyof Draft) =>
    field === 'prompts'
      ? texts.prompts !== undefined &&
        JSON.stringify(writtenPrompts(draft.prompts ?? [])) ===
          JSON.stringify(texts.prompts.map(({ question, answer }) => ({ question, answer })))
      : field in texts && draft[field] === texts[field as Exclude<TextField, 'prompts'>];
  return pickFields(
    draft,
    (Object.keys(draft) as (keyof Draft)[]).filter((field) => !isSaved(field)),
  );
}
