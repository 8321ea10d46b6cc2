import { expect, it } from 'vitest';
import { isFewEmoji, lastEmoji } from './emoji.ts';

it.each([
  ['❤️', true],
  ['😂😂😂', true],
  ['👩🏽‍🚀 🥐', true],
  ['😂😂😂😂', false],
  ['Soup 😂', false],
  ['123', false],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿🇦🇹', true],
  [' ', false],
  ['', false],
])('says %s larger: %s', (text, few) => {
  expect(isFewEmoji(text)).toBe(few);
});

it('takes the last emoji of what was typed', () => {
  expect(lastEmoji('yes 👍🏾 and ❤️!')).toBe('❤️');
  expect(lastEmoji('yes')).toBeNull();
});
