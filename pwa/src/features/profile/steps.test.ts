import { describe, expect, it } from 'vitest';
import type { Me } from '@/api/types.ts';
import { startSteps } from '@/session/paths.ts';
import { hasAnswered, neighbours, stepToResume } from './steps.ts';

const newcomer = {
  startStep: 'gender',
  gender: null,
  interestedIn: [],
  photos: [],
  prompts: [],
} as unknown as Me;

describe('the first run', () => {
  it('continues at the question that was reached, also past answers that were left out', () => {
    expect(stepToResume(newcomer)).toBe('gender');
    expect(stepToResume({ ...newcomer, startStep: 'photo' })).toBe('photo');
  });

  it('begins at the first question without an answer for a member who signed up without it', () => {
    const older = { ...newcomer, startStep: null };
    expect(stepToResume(older)).toBe('gender');
    expect(stepToResume({ ...older, gender: 'woman', interestedIn: ['man'] })).toBe('photo');
    // A profile that an older version of the app has stored.
    expect(stepToResume({ ...older, startStep: undefined, gender: 'man' } as unknown as Me)).toBe('seek');
  });

  it('has an answer once the question is behind the member, and none is chosen for them before', () => {
    expect(startSteps.filter((id) => hasAnswered(newcomer, id))).toEqual([]);
    expect(startSteps.filter((id) => hasAnswered({ ...newcomer, startStep: 'photo' }, id))).toEqual([
      'gender',
      'seek',
    ]);
    expect(startSteps.filter((id) => hasAnswered({ ...newcomer, startStep: null }, id))).toEqual([]);
  });

  it('has no question before the first and after the last', () => {
    expect(neighbours('gender')).toEqual({ number: 1, before: undefined, after: 'seek' });
    expect(neighbours('prompt')).toEqual({ number: 4, before: 'photo', after: undefined });
  });
});
