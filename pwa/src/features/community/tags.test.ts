import { expect, it } from 'vitest';
import { findTagError, ownTags, parseTags } from './tags.ts';

it('reads tags between commas, each once and as the server stores them', () => {
  expect(parseTags('Long  Distance, #First dates,, long distance ,\n# Tea')).toEqual([
    'long distance',
    'first dates',
    'tea',
  ]);
  expect(parseTags(' , #')).toEqual([]);
});

it('accepts five tags of thirty characters', () => {
  const long = 'a'.repeat(30);
  expect(findTagError(`${long}, b, c, d, e, E`)).toBeUndefined();
  expect(findTagError('')).toBeUndefined();
  expect(findTagError('a, b, c, d, e, f')).toBe('Please use at most 5 tags.');
  expect(findTagError(`${long}a`)).toBe('Please use at most 30 characters for a tag.');
});

it('shows the tags beside the category', () => {
  expect(ownTags({ category: 'advice', tags: ['advice', 'tea'] })).toEqual(['tea']);
});
