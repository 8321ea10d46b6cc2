import type { Me } from '@/api/types.ts';
import { type SectionId, sectionOf } from './draft.ts';

/** Whom members like to meet, in the words that are shown. */
export const interests: Record<string, string> = {
  woman: 'Women',
  man: 'Men',
  nonbinary: 'Nonbinary people',
  other: 'People of another gender',
};

type MissingField = Me['completeness']['missing'][number];

/** What would help the profile, as something to do. */
const help: Record<MissingField, string> = {
  photos: 'A photo of you',
  bio: 'A few words about you',
  loveReflection: 'What love means to you',
  intentionTags: 'Your intentions',
  prompts: 'An answer to a prompt',
  city: 'Your town',
  occupation: 'What you do',
  education: 'Your education',
  hasChildren: 'Whether you have children',
  wantsChildren: 'Whether you want children',
};

export type Help = { field: string; words: string; section: SectionId | 'photos' };

/** Returns the missing fields as things to do, without those of a newer server. */
export function helpFor(missing: readonly string[]): Help[] {
  return missing
    .filter((field): field is MissingField => Object.hasOwn(help, field))
    .map((field) => ({ field, words: help[field], section: field === 'photos' ? field : sectionOf[field] }));
}
