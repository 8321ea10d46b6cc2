import { expect, it } from 'vitest';
import { openerFrom } from './opener.ts';

const opener = (...answers: string[]) => openerFrom(answers.map((answer) => ({ question: 'Q', answer })));

it('quotes the first answer', () => {
  expect(opener('Too much cheese', 'Bread')).toBe('You wrote “Too much cheese.” Tell me more?');
  expect(opener('Who knows?')).toBe('You wrote “Who knows?” Tell me more?');
});

it('skips an answer without words', () => {
  expect(opener('', 'Bread')).toBe('You wrote “Bread.” Tell me more?');
});

it('quotes one line of at most 80 characters, cut between words', () => {
  expect(opener('Sourdough\n\n and  rain.')).toBe('You wrote “Sourdough and rain.” Tell me more?');
  const long = opener(`${'slow mornings '.repeat(10)}`);
  expect(long).toMatch(/^You wrote “(slow mornings )*(slow|slow mornings)…” Tell me more\?$/);
  expect(long?.length).toBeLessThanOrEqual(80 + 'You wrote “…” Tell me more?'.length);
});

it('is undefined without an answer', () => {
  expect(opener()).toBeUndefined();
  expect(opener('  ')).toBeFalsy();
});
