import { expect, it } from 'vitest';
import { nextUnheard } from './heard.ts';

const voice = (id: string, order: number, conversationId = 'c') => ({
  id,
  order,
  conversationId,
  play: () => undefined,
});
const all = [voice('d', 4), voice('a', 1), voice('c', 3), voice('b', 2), voice('x', 2, 'another')];
const next = (after: string, heard: string[]) =>
  nextUnheard(all.find(({ id }) => id === after) ?? voice('', 0), all, heard)?.id;

it('goes on with the next voice of the conversation that was not heard', () => {
  expect(next('a', ['a'])).toBe('b');
  expect(next('a', ['a', 'b', 'c'])).toBe('d');
});

it('ends after the last one and never goes back', () => {
  expect(next('d', ['d'])).toBeUndefined();
  expect(next('c', ['d'])).toBeUndefined();
});
