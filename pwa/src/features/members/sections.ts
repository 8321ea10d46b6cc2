import type { ReactNode } from 'react';
import { educations, heightText } from '@/api/words.ts';
import { genders, interests } from './choices.ts';
import type { Draft } from './draft.ts';
import {
  AboutFields,
  type FieldsProps,
  IntentionFields,
  LifeFields,
  MeetFields,
  NameFields,
  PromptFields,
  TownFields,
  TraitFields,
} from './fields.tsx';

export type SectionId = 'about' | 'prompts' | 'name' | 'town' | 'meet' | 'intentions' | 'traits' | 'life';

export type Section = {
  title: string;
  fields: readonly (keyof Draft)[];
  /** What stands there now, in one line. */
  summary: (draft: Draft) => string;
  Fields: (props: FieldsProps) => ReactNode;
};

const joined = (...words: (string | number | null | undefined | false)[]) =>
  words.filter(Boolean).join(' · ');

/** The parts of a profile that are written together; the editor and the first run show the same ones. */
export const sections: Record<SectionId, Section> = {
  about: {
    title: 'About you',
    fields: ['bio', 'loveReflection'],
    summary: ({ bio, loveReflection }) => bio || loveReflection,
    Fields: AboutFields,
  },
  prompts: {
    title: 'Prompts',
    fields: ['prompts'],
    summary: ({ prompts }) => joined(...prompts.map(({ question }) => question)),
    Fields: PromptFields,
  },
  name: {
    title: 'Name, birthday, height',
    fields: ['fullName', 'birthDate', 'heightCm'],
    summary: ({ fullName, heightCm }) => joined(fullName, heightCm && heightText(heightCm)),
    Fields: NameFields,
  },
  town: {
    title: 'Town',
    fields: ['city', 'state'],
    summary: ({ city, state }) => [city, state].filter(Boolean).join(', '),
    Fields: TownFields,
  },
  meet: {
    title: 'Who you’d like to meet',
    fields: ['gender', 'interestedIn'],
    summary: ({ gender, interestedIn }) =>
      joined(gender && genders[gender], interestedIn.map((one) => interests[one] ?? one).join(', ')),
    Fields: MeetFields,
  },
  intentions: {
    title: 'What you look for',
    fields: ['intentionTags', 'relationshipGoals'],
    summary: ({ intentionTags, relationshipGoals }) => joined(...intentionTags, ...relationshipGoals),
    Fields: IntentionFields,
  },
  traits: {
    title: 'What you are like',
    fields: ['personalityTraits', 'lifestylePreferences'],
    summary: ({ personalityTraits, lifestylePreferences }) =>
      joined(...personalityTraits, ...lifestylePreferences),
    Fields: TraitFields,
  },
  life: {
    title: 'Work, children, beliefs',
    fields: ['occupation', 'education', 'hasChildren', 'wantsChildren', 'religion'],
    summary: ({ occupation, education, hasChildren, wantsChildren }) =>
      joined(
        occupation,
        education && educations[education],
        hasChildren !== null && (hasChildren ? 'Has children' : 'No children'),
        wantsChildren !== null && (wantsChildren ? 'Wants children' : 'Wants no children'),
      ),
    Fields: LifeFields,
  },
};
