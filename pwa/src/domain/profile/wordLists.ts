/** The texts of the lists of words that members choose from, once for the editor, the profile and the filters. */
import { Cigarette, Languages, type LucideIcon, PawPrint, Speech, Wine } from 'lucide-react';
import type { WordList } from '@/api/types.ts';
import { wordListNames } from './words.ts';

export type WordSection = 'intentions' | 'traits' | 'meet' | 'everyday';

export type WordListTexts = {
  /** The section of the profile editor with the list's field. */
  section: WordSection;
  label: string;
  /** The label of the words where other members see them. */
  shownAs: string;
  filter: string;
  /** The color of the chips. */
  tone: 'plum' | 'marigold' | 'sage';
  /** With an icon the words are a line among the facts instead of chips. */
  icon?: LucideIcon;
};

/** The texts of each list. */
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
  languages: {
    section: 'everyday',
    label: 'Languages',
    shownAs: 'Languages',
    filter: 'Languages',
    tone: 'plum',
    icon: Languages,
  },
  drinking: {
    section: 'everyday',
    label: 'Drinking',
    shownAs: 'Drinking',
    filter: 'Drinking',
    tone: 'sage',
    icon: Wine,
  },
  smoking: {
    section: 'everyday',
    label: 'Smoking',
    shownAs: 'Smoking',
    filter: 'Smoking',
    tone: 'sage',
    icon: Cigarette,
  },
  pets: {
    section: 'everyday',
    label: 'Pets',
    shownAs: 'Pets',
    filter: 'Pets',
    tone: 'sage',
    icon: PawPrint,
  },
};

/** Returns the lists in a section of the editor. */
export function listsOf(section: WordSection): WordList[] {
  return wordListNames.filter((name) => wordLists[name].section === section);
}
