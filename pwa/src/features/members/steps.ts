import type { Me } from '@/api/types.ts';
import { storageKeys } from '@/session/storage.ts';
import type { SectionId } from './draft.ts';

export type StepId = 'photos' | 'words' | 'meet' | 'town' | 'voice';

export type Step = {
  id: StepId;
  title: string;
  text: string;
  /** The sections of the profile in this step, which Continue and Finish save. */
  sections: SectionId[];
  /** Whether the sections show words of the server to choose from. */
  hasWords?: true;
  /** Whether the step is complete. */
  done: (me: Me) => boolean;
};

/** The steps of the guided first run, in order. Each can be skipped. */
export const steps: Step[] = [
  {
    id: 'photos',
    title: 'Add your photos',
    text: 'Start with one clear photo of your face.',
    sections: [],
    done: (me) => me.photos.length > 0,
  },
  {
    id: 'words',
    title: 'In your words',
    text: 'A few honest lines give people something to reply to.',
    sections: ['about', 'prompts'],
    done: (me) => me.bio !== '' && me.prompts.length > 0,
  },
  {
    id: 'meet',
    title: 'Who you’d like to meet',
    text: "You'll only see each other if it fits both ways.",
    sections: ['meet', 'seek'],
    hasWords: true,
    done: (me) => me.gender !== null,
  },
  {
    id: 'town',
    title: 'Where you are and what you want',
    text: 'Others see your town, never your location.',
    sections: ['town', 'intentions'],
    hasWords: true,
    done: (me) => me.city !== '' && me.intentionTags.length > 0 && me.relationshipGoals.length > 0,
  },
  {
    id: 'voice',
    title: 'Say hello',
    text: 'A voice says more than a photo. Optional, like everything here.',
    sections: [],
    done: (me) => me.audioGreeting !== null,
  },
];

/** Returns the step at which the member stopped, else the first incomplete one. */
export function stepToResume(me: Me): StepId {
  const stored = steps.find(({ id }) => id === localStorage.getItem(storageKeys.startStep));
  const incomplete = steps.find((step) => !step.done(me));
  return (stored ?? incomplete ?? steps[0])?.id ?? 'photos';
}

export function storeStep(id: StepId | null): void {
  if (id) localStorage.setItem(storageKeys.startStep, id);
  else localStorage.removeItem(storageKeys.startStep);
}

export function neighbours(id: StepId): { number: number; before: StepId | null; after: StepId | null } {
  const index = steps.findIndex((step) => step.id === id);
  return { number: index + 1, before: steps[index - 1]?.id ?? null, after: steps[index + 1]?.id ?? null };
}
