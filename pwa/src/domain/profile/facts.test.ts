import { expect, test } from 'vitest';
import type { PublicMember } from '@/api/types.ts';
import { cardFactsOf } from './cardFacts.ts';
import { factsOf } from './facts.ts';
import { wordLists } from './wordLists.ts';
import { noWords, wordListNames, wordsOf } from './words.ts';

const member = {
  ...noWords,
  city: 'Salem',
  state: 'OR',
  occupation: 'Nurse',
  education: 'masters',
  heightCm: 173,
  gender: 'woman',
  hasChildren: false,
  wantsChildren: true,
} as PublicMember;

const texts = (subject: PublicMember, view: 'card' | 'more' | 'profile') =>
  (view === 'card' ? cardFactsOf(subject) : factsOf(subject, view)).map(({ text }) => text);

test('each view shows its facts, in the same order', () => {
  const first = ['Salem, OR', 'Nurse', "Master's degree"];
  expect(texts(member, 'card'), 'one line on the photo').toEqual(['Salem, OR']);
  expect(texts(member, 'more')).toEqual([...first, '173 cm (5′8″)', 'No children, wants children']);
  expect(texts(member, 'profile')).toEqual([
    ...first,
    '173 cm (5′8″)',
    'Woman',
    'No children, wants children',
  ]);
});

test('a visit is a fact beside the town', () => {
  const visiting = { ...member, visit: { city: 'Lisbon', state: 'Portugal', until: '2999-01-01T00:00:00Z' } };
  expect(texts(visiting, 'profile').slice(0, 2)).toEqual(['Salem, OR', 'Visiting Lisbon this week']);
  expect(texts(visiting, 'more').slice(0, 2)).toEqual(['Salem, OR', 'Visiting Lisbon this week']);
});

test('an empty field is no fact', () => {
  const withoutFacts = { ...member, city: '', state: '', occupation: '', education: null, heightCm: null };
  expect(texts({ ...withoutFacts, hasChildren: null, wantsChildren: null, gender: null }, 'profile')).toEqual(
    [],
  );
});

test.each(wordListNames)('%s are empty in a profile that was stored before the list existed', (name) => {
  const { [name]: _, ...older } = member;
  expect(wordsOf(older as PublicMember, name)).toEqual([]);
  expect(texts(older as PublicMember, 'profile')).toEqual(texts(member, 'profile'));
});

test.each(wordListNames)('%s are a fact where the list has an icon', (name) => {
  const isShown = (view: 'card' | 'more' | 'profile') =>
    texts({ ...member, [name]: ['One', 'Two'] }, view).includes('One, Two');
  expect(isShown('profile')).toBe(wordLists[name].icon !== undefined);
  expect(isShown('more')).toBe(wordLists[name].icon !== undefined);
  expect(isShown('card'), 'one line on the photo').toBe(name === 'pronouns');
});
