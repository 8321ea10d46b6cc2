import type { Me, MePatch, Prompt, WordList } from '@/api/types.ts';
import { wordLists } from '@/domain/profile/wordLists.ts';
import { noWords, wordListNames } from '@/domain/profile/words.ts';

/** The switches of the privacy settings. */
export type PrivacySwitch =
  | 'paused'
  | 'firstNameOnly'
  | 'incognito'
  | 'hideOnline'
  | 'hideReadReceipts'
  | 'hidePremium'
  | 'hideBadges';

/** The fields that the editor of the profile changes. The first run and the filters change `interestedIn`. */
export type Draft = Required<
  Omit<MePatch, PrivacySwitch | 'pausedUntil' | 'interestedIn' | 'welcomed' | 'startStep'>
>;

/** Sets one field and clears its error. */
export type SetField = <Field extends keyof Draft>(field: Field, value: Draft[Field]) => void;

export type SectionId =
  | 'about'
  | 'prompts'
  | 'name'
  | 'town'
  | 'meet'
  | 'intentions'
  | 'traits'
  | 'life'
  | 'everyday';

/** The section in which each field is edited and saved. */
export const sectionOf: Record<keyof Draft, SectionId> = {
  bio: 'about',
  loveReflection: 'about',
  prompts: 'prompts',
  removedVoiceIds: 'prompts',
  fullName: 'name',
  birthDate: 'name',
  heightCm: 'name',
  city: 'town',
  state: 'town',
  gender: 'meet',
  intentionTags: 'intentions',
  occupation: 'life',
  education: 'life',
  hasChildren: 'life',
  wantsChildren: 'life',
  religion: 'life',
  religionCounts: 'life',
  ...sectionOfLists(),
};

function sectionOfLists(): Record<WordList, SectionId> {
  const sections = wordListNames.map((name) => [name, wordLists[name].section]);
  return Object.fromEntries(sections) as Record<WordList, SectionId>;
}

const draftFields = Object.keys(sectionOf) as (keyof Draft)[];

export function fieldsOf(section: SectionId): (keyof Draft)[] {
  return draftFields.filter((field) => sectionOf[field] === section);
}

/** Returns the editable fields of a profile. A word list that an older stored profile lacks is empty. */
export function draftOf(me: Me): Draft {
  const filled = { ...noWords, removedVoiceIds: [], ...me };
  return Object.fromEntries(draftFields.map((field) => [field, filled[field]])) as Draft;
}

/** Returns the fields that differ, so that changes made on another device are not overwritten. */
export function changes(before: Draft, after: Draft): Partial<Draft> {
  const stored = voiceIds(before.prompts);
  const cleaned = {
    ...after,
    prompts: after.prompts.filter(isAnswered),
    removedVoiceIds: after.removedVoiceIds.filter((id) => stored.includes(id)),
  };
  const changed = Object.entries(cleaned).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Draft]),
  );
  return Object.fromEntries(changed);
}

const isAnswered = ({ answer, voice }: Prompt) => answer.trim() !== '' || Boolean(voice);

/**
 * Returns the recordings that the draft removes when its prompts change. The server keeps those that are not listed,
 * such as one that was added on another device.
 */
export function removedVoices(before: Draft, prompts: Prompt[]): string[] {
  const kept = voiceIds(prompts);
  const removed = [...before.removedVoiceIds, ...voiceIds(before.prompts)];
  return [...new Set(removed)].filter((id) => !kept.includes(id));
}

const voiceIds = (prompts: Prompt[]) => prompts.flatMap(({ voice }) => voice?.id ?? []);

/**
 * Returns the draft in which each prompt without a recording has that of the same question in the profile, unless the draft
 * removes it: the worker may have added it while no page was open.
 */
export function withStoredVoices(draft: Draft, stored: readonly Prompt[]): Draft {
  const voices = new Map(stored.map(({ question, voice }) => [question, voice]));
  const prompts = draft.prompts.map((prompt) => {
    const voice = voices.get(prompt.question);
    const isMissing = voice && !prompt.voice && !draft.removedVoiceIds.includes(voice.id);
    return isMissing ? { ...prompt, voice } : prompt;
  });
  return { ...draft, prompts };
}

/** Returns the given fields of a patch. */
export function pickFields(patch: Partial<Draft>, fields: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => fields.includes(field as keyof Draft)));
}

/** Returns the errors by field: "prompts[0].answer" becomes "prompts". */
export function byField(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [path.split(/[.[]/)[0], message]),
  );
}

export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [moved] = next.splice(from, 1);
  if (moved !== undefined) next.splice(to, 0, moved);
  return next;
}
