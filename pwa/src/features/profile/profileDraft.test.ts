import { describe, expect, it } from 'vitest';
import type { Me, Recording } from '@/api/types.ts';
import { heightText } from '@/domain/profile/labels.ts';
import { noWords } from '@/domain/profile/words.ts';
import {
  byField,
  changes,
  type Draft,
  draftOf,
  fieldsOf,
  move,
  pickFields,
  removedVoices,
  withStoredVoices,
} from './profileDraft.ts';
import { sections } from './sections.ts';
import { suggestionsFor } from './suggestions.ts';

const before: Draft = {
  fullName: 'Maya Field',
  birthDate: null,
  city: 'Savannah',
  state: 'GA',
  gender: null,
  heightCm: null,
  intentionTags: ['Long-term'],
  bio: 'Slow mornings.',
  loveReflection: '',
  hasChildren: null,
  wantsChildren: null,
  education: null,
  occupation: '',
  religion: null,
  religionCounts: true,
  prompts: [{ question: 'Together we could', answer: 'bake', voice: null }],
  removedVoiceIds: [],
  ...noWords,
};

describe('changes', () => {
  it('returns nothing when nothing changed', () => {
    expect(changes(before, { ...before, intentionTags: ['Long-term'] })).toEqual({});
  });

  it('returns only changed fields, including null', () => {
    const after = { ...before, bio: 'Late evenings.', hasChildren: false };
    expect(changes(before, after)).toEqual({ bio: 'Late evenings.', hasChildren: false });
    expect(changes(after, { ...after, hasChildren: null })).toEqual({ hasChildren: null });
  });

  it('omits prompts without an answer', () => {
    const unanswered = { question: 'A small thing', answer: ' ', voice: null };
    const after = { ...before, prompts: [...before.prompts, unanswered] };
    expect(changes(before, after)).toEqual({});
    const recorded = { ...unanswered, voice: { id: 'a' } as Recording };
    expect(changes(before, { ...before, prompts: [recorded] })).toEqual({ prompts: [recorded] });
    expect(changes(before, { ...before, prompts: [] })).toEqual({ prompts: [] });
  });

  it('names the recordings that the draft removes, and none that it never had', () => {
    const prompt = (question: string, id: string) => ({ question, answer: 'a', voice: { id } as Recording });
    const opened = { ...before, prompts: [prompt('Q', 'a'), prompt('R', 'b')] };
    const kept = [prompt('R', 'b')];
    const draft = { ...opened, prompts: kept, removedVoiceIds: removedVoices(opened, kept) };
    const newer = { ...opened, prompts: [...opened.prompts, prompt('S', 'from another device')] };
    expect(changes(newer, draft)).toEqual({ prompts: kept, removedVoiceIds: ['a'] });
    expect(removedVoices(draft, opened.prompts)).toEqual([]);
  });

  it('does not name a recording that the profile no longer has', () => {
    const recorded = (id: string) => [{ question: 'Q', answer: '', voice: { id } as Recording }];
    const opened = { ...before, prompts: recorded('first') };
    const prompts = recorded('again');
    const draft = { ...opened, prompts, removedVoiceIds: removedVoices(opened, prompts) };
    expect(draft.removedVoiceIds).toEqual(['first']);
    expect(changes({ ...before, prompts }, draft)).toEqual({});
  });
});

it('a prompt without a recording has that of the profile, unless the draft removes it', () => {
  const prompt = (question: string, voice: Recording | null) => ({ question, answer: 'new', voice });
  const stored = ['Q', 'R', 'S'].map((question) => prompt(question, { id: `of ${question}` } as Recording));
  const prompts = [prompt('Q', null), prompt('R', null), prompt('S', { id: 'again' } as Recording)];
  const draft = withStoredVoices({ ...before, prompts, removedVoiceIds: ['of R'] }, stored);
  expect(draft.prompts.map(({ voice }) => voice?.id)).toEqual(['of Q', undefined, 'again']);
});

it('pickFields returns the fields of one section', () => {
  expect(pickFields({ bio: 'Late.', city: 'Macon' }, ['bio', 'loveReflection'])).toEqual({ bio: 'Late.' });
});

it('draftOf returns the editable fields, each of which is in one section', () => {
  const me = { ...before, email: 'maya@example.test', age: 30 } as unknown as Me;
  expect(draftOf(me)).toEqual(before);
  const { lifestylePreferences: _, ...older } = me;
  expect(draftOf(older as Me)).toEqual(before);
  const fields = Object.keys(sections).flatMap((id) => fieldsOf(id as keyof typeof sections));
  expect(fields.toSorted()).toEqual(Object.keys(before).toSorted());
});

it('byField assigns a nested error to its field', () => {
  expect(byField({ 'prompts[0].answer': 'Too long', bio: 'Too long' })).toEqual({
    prompts: 'Too long',
    bio: 'Too long',
  });
});

it('move changes one position and keeps the order of the others', () => {
  expect(move(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(move(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});

describe('labels', () => {
  it('suggestionsFor returns the suggestions of known fields', () => {
    expect(suggestionsFor(['photos', 'aura', 'occupation'])).toEqual([
      { field: 'photos', label: 'A photo of you', section: 'photos' },
      { field: 'occupation', label: 'What you do', section: 'life' },
    ]);
  });

  it('heightText has both systems of units', () => {
    expect(heightText(173)).toBe('173 cm (5′8″)');
    expect(heightText(152)).toBe('152 cm (5′0″)');
  });
});
