import { beforeEach, describe, expect, it } from 'vitest';
import type { Me } from '@/api/types.ts';
import { neighbours, steps, stepToResume, storeStep } from './steps.ts';

const newcomer = {
  photos: [],
  bio: 'Long walks.',
  prompts: [],
  gender: null,
  city: 'Boise',
  intentionTags: ['Long-term'],
  relationshipGoals: [],
  audioGreeting: null,
} as unknown as Me;

const withPhoto = { ...newcomer, photos: [{ id: 'a' }] } as Me;

beforeEach(() => localStorage.clear());

describe('the first run', () => {
  it('starts at the first incomplete step', () => {
    expect(stepToResume(newcomer)).toBe('photos');
    expect(stepToResume(withPhoto)).toBe('words');
  });

  it('resumes at the stored step, not at the first incomplete one', () => {
    storeStep('town');
    expect(stepToResume(newcomer)).toBe('town');
    storeStep(null);
    expect(stepToResume(newcomer)).toBe('photos');
  });

  it('ignores a stored step that no longer exists', () => {
    localStorage.setItem('hw.start-step', 'horoscope');
    expect(stepToResume(withPhoto)).toBe('words');
  });

  it('has no step before the first and after the last', () => {
    expect(neighbours('photos')).toEqual({ number: 1, before: null, after: 'words' });
    expect(neighbours('voice')).toEqual({ number: steps.length, before: 'town', after: null });
  });
});
