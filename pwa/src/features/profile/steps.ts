import type { Me } from '@/api/types.ts';
import { type StartStep, startSteps } from '@/session/paths.ts';

type Step = {
  title: string;
  text: string;
  /** Who sees the answer. */
  seenBy: string;
  /** Whether the profile has an answer. */
  isAnswered: (me: Me) => boolean;
  /** Whether the member may do it later. Who they are and whom they want to see comes before people are shown. */
  isOptional: boolean;
};

/** The questions of the guided first run, one to a screen, in the order of `startSteps`. */
export const steps: Record<StartStep, Step> = {
  gender: {
    title: 'Who are you?',
    text: 'It decides in whose searches you come up.',
    seenBy: 'Others see it on your profile.',
    isAnswered: (me) => me.gender !== null,
    isOptional: false,
  },
  seek: {
    title: 'Who would you like to see?',
    text: 'Choose as many as you like. You can change it in the filters.',
    seenBy: 'Only you see this.',
    isAnswered: (me) => me.interestedIn.length > 0,
    isOptional: false,
  },
  photo: {
    title: 'Add a photo of you',
    text: 'One clear picture of your face is enough to begin.',
    seenBy: 'Members see it on your profile.',
    isAnswered: (me) => me.photos.length > 0,
    isOptional: true,
  },
  prompt: {
    title: 'Answer one question',
    text: 'A line or two gives people something to reply to.',
    seenBy: 'Others see it on your profile.',
    isAnswered: (me) => me.prompts.length > 0,
    isOptional: true,
  },
};

const reached = ({ startStep }: Me): number =>
  startStep ? startSteps.indexOf(startStep) : startSteps.length;

/** Whether the member has answered the question, also with "rather not say" or "everyone", which leave the profile empty. */
export const hasAnswered = (me: Me, id: StartStep): boolean =>
  steps[id].isAnswered(me) || (Boolean(me.startStep) && reached(me) > startSteps.indexOf(id));

/** Whether the member may see people without an answer: everyone but a new member before the required questions. */
export const canLeave = ({ startStep }: Me): boolean => startStep !== 'gender' && startStep !== 'seek';

/** Returns the question that the member has reached on any device, else the first one without an answer. */
export function stepToResume(me: Me): StartStep {
  return me.startStep ?? startSteps.find((id) => !steps[id].isAnswered(me)) ?? startSteps[0];
}

export function neighbours(id: StartStep): {
  number: number;
  before: StartStep | undefined;
  after: StartStep | undefined;
} {
  const index = startSteps.indexOf(id);
  return { number: index + 1, before: startSteps[index - 1], after: startSteps[index + 1] };
}
