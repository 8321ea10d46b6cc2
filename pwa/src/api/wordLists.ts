/** The lists of words that members choose from, once for the editor, the profile and the filters. */
import { type LucideIcon, Speech } from 'lucide-react';
import type { PublicMember, WordList } from './types.ts';

export type WordSection = 'intentions' | 'traits' | 'meet';

export type WordListTexts = {
  /** The part of the profile editor with its field. */
  section: WordSection;
  label: string;
  /** What others read above the words. */
  shownAs: string;
  filter: string;
  /** The color of the chips. */
  tone: 'plum' | 'marigold' | 'sage';
  /** Shown as a line among the facts instead of chips. */
  icon?: LucideIcon;
};

/** In the order in which they are shown. */
export const wordLists: Record<WordList, WordListTexts> = {
  relationshipGoals: {
    section: 'intentions',
    label: 'Relationship goals',
    shownAs: 'Looking for',
    filter: 'Relationship goals',
    tone: 'plum',
  },
  personalityTraits: {
    section: 'traits',
    label: 'Personality',
    shownAs: 'Personality',
    filter: 'Personality traits',
    tone: 'marigold',
  },
  lifestylePreferences: {
    section: 'traits',
    label: 'Lifestyle',
    shownAs: 'Lifestyle',
    filter: 'Lifestyle preferences',
    tone: 'sage',
  },
  pronouns: {
    section: 'meet',
    label: 'Pronouns',
    shownAs: 'Pronouns',
    filter: 'Pronouns',
    tone: 'plum',
    icon: Speech,
  },
};

export const wordListNames = Object.keys(wordLists) as WordList[];

type Lists = Pick<PublicMember, WordList>;

/** No words of any list. */
export const noWords = Object.fromEntries(wordListNames.map((name) => [name, []])) as unknown as Lists;

/** The lists of one part of the editor. */
export function listsOf(section: WordSection): WordList[] {
  return wordListNames.filter((name) => wordLists[name].section === section);
}

/** A member's words of a list. A profile that an older version stored lacks the lists that came later. */
export function wordsOf(member: Partial<Lists>, name: WordList): readonly string[] {
  return member[name] ?? [];
}
