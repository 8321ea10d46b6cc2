import type { Me } from '@/api/types.ts';

/** The options of the profile, with the words they are shown in. */
export const genders: Record<string, string> = {
  woman: 'Woman',
  man: 'Man',
  nonbinary: 'Nonbinary',
  other: 'Another gender',
};

export const interests: Record<string, string> = {
  woman: 'Women',
  man: 'Men',
  nonbinary: 'Nonbinary people',
  other: 'People of another gender',
};

type MissingField = Me['completeness']['missing'][number];

/** What would help the profile, as something to do, and the section where it is done. */
const help: Record<MissingField, { words: string; section: string }> = {
  photos: { words: 'A photo of you', section: 'photos' },
  bio: { words: 'A few words about you', section: 'about' },
  loveReflection: { words: 'What love means to you', section: 'about' },
  intentionTags: { words: 'Your intentions', section: 'intentions' },
  prompts: { words: 'An answer to a prompt', section: 'prompts' },
  city: { words: 'Your town', section: 'town' },
  occupation: { words: 'What you do', section: 'life' },
  education: { words: 'Your education', section: 'life' },
  hasChildren: { words: 'Whether you have children', section: 'life' },
  wantsChildren: { words: 'Whether you want children', section: 'life' },
};

export type Help = { field: string; words: string; section: string };

/** Returns the missing fields as things to do, without those of a newer server. */
export function helpFor(missing: readonly string[]): Help[] {
  return missing
    .filter((field): field is MissingField => Object.hasOwn(help, field))
    .map((field) => ({ field, ...help[field] }));
}
