import { describe, expect, it } from 'vitest';
import { heightText } from '@/api/words.ts';
import { missingSentence } from './choices.ts';
import { changes, type Draft, move } from './draft.ts';

const before: Draft = {
  fullName: 'Maya Field',
  city: 'Savannah',
  state: 'GA',
  gender: null,
  interestedIn: [],
  heightCm: null,
  intentionTags: ['Long-term'],
  bio: 'Slow mornings.',
  loveReflection: '',
  hasChildren: null,
  wantsChildren: null,
  education: null,
  occupation: '',
  religion: null,
  prompts: [{ question: 'Together we could', answer: 'bake' }],
};

describe('what a save sends', () => {
  it('is nothing when nothing changed', () => {
    expect(changes(before, { ...before, intentionTags: ['Long-term'] })).toEqual({});
  });

  it('is only what changed, null included', () => {
    const after = { ...before, bio: 'Late evenings.', hasChildren: false };
    expect(changes(before, after)).toEqual({ bio: 'Late evenings.', hasChildren: false });
    expect(changes(after, { ...after, hasChildren: null })).toEqual({ hasChildren: null });
  });

  it('leaves out prompts without an answer', () => {
    const after = { ...before, prompts: [...before.prompts, { question: 'A small thing', answer: ' ' }] };
    expect(changes(before, after)).toEqual({});
    expect(changes(before, { ...before, prompts: [] })).toEqual({ prompts: [] });
  });
});

it('moves one thing and keeps the order of the others', () => {
  expect(move(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(move(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});

describe('words', () => {
  it('names what is missing in one sentence', () => {
    expect(missingSentence(['photos', 'prompts', 'occupation'])).toBe(
      'Still missing: a photo, a prompt, and what you do.',
    );
  });

  it('shows a height in both systems', () => {
    expect(heightText(173)).toBe('173 cm (5′8″)');
    expect(heightText(152)).toBe('152 cm (5′0″)');
  });
});
