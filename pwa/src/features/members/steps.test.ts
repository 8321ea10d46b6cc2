import { beforeEach, describe, expect, it } from 'vitest';
import type { Me } from '@/api/types.ts';
import { neighbours, resumeAt, steps, storeStep } from './steps.ts';

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
  it('begins with the first step that has something to do', () => {
    expect(resumeAt(newcomer)).toBe('photos');
    expect(resumeAt(withPhoto)).toBe('words');
  });

  it('goes on where it was left, also when that step is done', () => {
    storeStep('town');
    expect(resumeAt(newcomer)).toBe('town');
    storeStep(null);
    expect(resumeAt(newcomer)).toBe('photos');
  });

  it('forgets a step that there is no more', () => {
    localStorage.setItem('hw.start-step', 'horoscope');
    expect(resumeAt(withPhoto)).toBe('words');
  });

  it('has an end on both sides', () => {
    expect(neighbours('photos')).toEqual({ number: 1, before: null, after: 'words' });
    expect(neighbours('voice')).toEqual({ number: steps.length, before: 'town', after: null });
  });
});
