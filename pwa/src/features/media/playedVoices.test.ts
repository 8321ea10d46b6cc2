import { expect, it } from 'vitest';
import { nextUnplayed } from './playedVoices.ts';

const voice = (id: string, order: number, conversationId = 'c') => ({
  id,
  order,
  conversationId,
  play: () => undefined,
});
const voices = [voice('d', 4), voice('a', 1), voice('c', 3), voice('b', 2), voice('x', 2, 'another')];
const next = (after: string, played: string[]) =>
  nextUnplayed(voices.find(({ id }) => id === after) ?? voice('', 0), voices, played)?.id;

it('returns the next unplayed voice message of the conversation', () => {
  expect(next('a', ['a'])).toBe('b');
  expect(next('a', ['a', 'b', 'c'])).toBe('d');
});

it('returns nothing after the last one, and no earlier one', () => {
  expect(next('d', ['d'])).toBeUndefined();
  expect(next('c', ['d'])).toBeUndefined();
});
