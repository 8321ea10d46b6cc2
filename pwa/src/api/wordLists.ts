/** The lists of words that members choose from, once for the editor, the profile and the filters. */
import { type LucideIcon, Speech } from 'lucide-react';
import type { PublicMember, WordList } from './types.ts';

export type WordSection = 'intentions' | 'traits' | 'meet';

export type WordListTexts = {
  /** The section of the profile editor with the list's field. */
  section: WordSection;
  label: string;
  /** The heading above the words on another member's screen. */
  shownAs: string;
  filter: string;
  /** The color of the chips. */
  tone: 'plum' | 'marigold' | 'sage';
  /** With an icon the words are a line among the facts instead of chips. */
  icon?: LucideIcon;
};

/** The texts of each list, in display order. */
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

/** An empty array for each list. */
export const noWords = Object.fromEntries(wordListNames.map((name) => [name, []])) as unknown as Lists;

/** Returns the lists in a section of the editor. */
export function listsOf(section: WordSection): WordList[] {
  return wordListNames.filter((name) => wordLists[name].section === section);
}

/** Returns a member's words of a list. A profile stored by an older version may lack the list. */
export function wordsOf(member: Partial<Lists>, name: WordList): readonly string[] {
  return member[name] ?? [];
}
