import { expect, it } from 'vitest';
import { openersFrom } from './opener.ts';

const openers = (answers: string[], seed = '') =>
  openersFrom(
    answers.map((answer) => ({ answer })),
    seed,
  );

it('asks about each answer in its own words', () => {
  expect(openers(['Too much cheese', 'Who knows?'])).toEqual([
    "“Too much cheese.” What's the story behind that?",
    'I read “Who knows?” and had to write. Tell me more?',
  ]);
});

it('makes three at most, and skips answers without words', () => {
  expect(openers(['', 'Bread'])).toEqual(["“Bread.” What's the story behind that?"]);
  expect(openers(['One', 'Two', 'Three', 'Four'])).toHaveLength(3);
  expect(openers([])).toEqual([]);
  expect(openers(['  '])).toEqual([]);
});

it('words them differently for each conversation', () => {
  const seeds = ['a', 'b', 'c', 'd', 'e'];
  expect(new Set(seeds.flatMap((seed) => openers(['Bread'], seed))).size).toBe(5);
});

it('quotes one line of at most 80 characters, cut between words', () => {
  expect(openers(['Sourdough\n\n and  rain.'])).toEqual([
    "“Sourdough and rain.” What's the story behind that?",
  ]);
  const [long = ''] = openers(['slow mornings '.repeat(10)]);
  expect(long).toMatch(/^“(slow mornings )*(slow|slow mornings)…” What's the story behind that\?$/);
  expect(long.length).toBeLessThanOrEqual(80 + "“…” What's the story behind that?".length);
});
