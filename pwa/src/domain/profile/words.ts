/** The words of profiles, apart from the texts of their lists, which no first screen needs. */
import type { PublicMember, WordList } from '@/api/types.ts';

type Words = Pick<PublicMember, WordList>;

/** An empty array for each list, in display order. */
export const noWords: Words = {
  relationshipGoals: [],
  personalityTraits: [],
  lifestylePreferences: [],
  pronouns: [],
  languages: [],
  drinking: [],
  smoking: [],
  pets: [],
};

export const wordListNames = Object.keys(noWords) as WordList[];

/** Returns a member's words of a list. A profile stored by an older version may lack the list. */
export function wordsOf(member: Partial<Words>, name: WordList): readonly string[] {
  return member[name] ?? [];
}
