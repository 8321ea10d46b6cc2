import type { Me, MePatch } from '@/api/types.ts';

/** The part of a profile that its owner writes. */
export type Draft = Required<MePatch>;

export function draftOf(me: Me): Draft {
  return {
    fullName: me.fullName,
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
  };
}

/** Only the fields that differ: what another device changed meanwhile stays as it is. */
export function changes(before: Draft, after: Draft): MePatch {
  const tidy = { ...after, prompts: after.prompts.filter(({ answer }) => answer.trim() !== '') };
  const changed = Object.entries(tidy).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Draft]),
  );
  return Object.fromEntries(changed);
}

export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken !== undefined) next.splice(to, 0, taken);
  return next;
}
