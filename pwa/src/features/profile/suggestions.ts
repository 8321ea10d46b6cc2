import type { Me } from '@/api/types.ts';
import { type SectionId, sectionOf } from './profileDraft.ts';

type MissingField = Me['completeness']['missing'][number];

/** The suggestion for each missing field. */
const suggestions: Record<MissingField, string> = {
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

export type Suggestion = { field: string; label: string; section: SectionId | 'photos' };

/** Returns the suggestions for the missing fields, without fields that only a newer server knows. */
export function suggestionsFor(missing: readonly string[]): Suggestion[] {
  return missing
    .filter((field): field is MissingField => Object.hasOwn(suggestions, field))
    .map((field) => ({
      field,
      label: suggestions[field],
      section: field === 'photos' ? field : sectionOf[field],
    }));
}
