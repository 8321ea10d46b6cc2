import type { Me, MePatch } from '@/api/types.ts';

/** The part of a profile that its owner writes. */
export type Draft = Required<
  Omit<MePatch, 'paused' | 'incognito' | 'hideOnline' | 'hideReadReceipts' | 'welcomed'>
>;

/** Keeps one field; whatever is said of it before is void. */
export type SetField = <Field extends keyof Draft>(field: Field, value: Draft[Field]) => void;

export function draftOf(me: Me): Draft {
  return {
    fullName: me.fullName,
    birthDate: me.birthDate,
    city: me.city,
    state: me.state,
    gender: me.gender,
    interestedIn: me.interestedIn,
    heightCm: me.heightCm,
    intentionTags: me.intentionTags,
    bio: me.bio,
    loveReflection: me.loveReflection,
    hasChildren: me.hasChildren,
    wantsChildren: me.wantsChildren,
    education: me.education,
    occupation: me.occupation,
    religion: me.religion,
    prompts: me.prompts,
    personalityTraits: me.personalityTraits,
    lifestylePreferences: me.lifestylePreferences,
    relationshipGoals: me.relationshipGoals,
  };
}

/** Only the fields that differ: what another device changed meanwhile stays as it is. */
export function changes(before: Draft, after: Draft): Partial<Draft> {
  const tidy = { ...after, prompts: after.prompts.filter(({ answer }) => answer.trim() !== '') };
  const changed = Object.entries(tidy).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Draft]),
  );
  return Object.fromEntries(changed);
}

/** The part of a patch that is about these fields. */
export function only(patch: Partial<Draft>, fields: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => fields.includes(field as keyof Draft)));
}

/** "prompts[0].answer" is about the prompts. */
export function byField(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [path.split(/[.[]/)[0], message]),
  );
}

export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken !== undefined) next.splice(to, 0, taken);
  return next;
}
