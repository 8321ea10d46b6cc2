import type { ReactNode } from 'react';
import { educations, genders, heightText } from '@/domain/profile/labels.ts';
import { listsOf, type WordSection } from '@/domain/profile/wordLists.ts';
import {
  AboutFields,
  EverydayFields,
  type FieldsProps,
  IntentionFields,
  LifeFields,
  MeetFields,
  NameFields,
  TownFields,
  TraitFields,
} from './fields.tsx';
import { DraftPrompts } from './PromptEditor.tsx';
import type { Draft, SectionId } from './profileDraft.ts';

export type Section = {
  title: string;
  /** Returns the current values in one line. */
  summary: (draft: Draft) => string;
  Fields: (props: FieldsProps) => ReactNode;
};

const joined = (...words: (string | number | null | undefined | false)[]) =>
  words.filter(Boolean).join(' · ');

const wordsIn = (draft: Draft, section: WordSection): string[] =>
  listsOf(section).flatMap((name): string[] => draft[name]);

/** The sections of fields of the profile. Each is saved as a whole. */
export const sections: Record<SectionId, Section> = {
  about: {
    title: 'About you',
    summary: ({ bio, loveReflection }) => bio || loveReflection,
    Fields: AboutFields,
  },
  prompts: {
    title: 'Prompts',
    summary: ({ prompts }) => joined(...prompts.map(({ question }) => question)),
    Fields: DraftPrompts,
  },
  name: {
    title: 'Name, birthday, height',
    summary: ({ fullName, heightCm }) => joined(fullName, heightCm && heightText(heightCm)),
    Fields: NameFields,
  },
  town: {
    title: 'Town',
    summary: ({ city, state }) => [city, state].filter(Boolean).join(', '),
    Fields: TownFields,
  },
  meet: {
    title: 'Gender and pronouns',
    summary: (draft) => joined(draft.gender && genders[draft.gender], ...wordsIn(draft, 'meet')),
    Fields: MeetFields,
  },
  intentions: {
    title: "What you're looking for",
    summary: (draft) => joined(...draft.intentionTags, ...wordsIn(draft, 'intentions')),
    Fields: IntentionFields,
  },
  traits: {
    title: 'Personality and lifestyle',
    summary: (draft) => joined(...wordsIn(draft, 'traits')),
    Fields: TraitFields,
  },
  life: {
    title: 'Work, children, beliefs',
    summary: ({ occupation, education, hasChildren, wantsChildren }) =>
      joined(
        occupation,
        education && educations[education],
        hasChildren !== null && (hasChildren ? 'Has children' : 'No children'),
        wantsChildren !== null && (wantsChildren ? 'Wants children' : 'Wants no children'),
      ),
    Fields: LifeFields,
  },
  everyday: {
    title: 'Languages, habits, pets',
    summary: (draft) => joined(...wordsIn(draft, 'everyday')),
    Fields: EverydayFields,
  },
};
