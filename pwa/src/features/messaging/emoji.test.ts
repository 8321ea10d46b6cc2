import { expect, it } from 'vitest';
import { isFewEmoji, lastEmoji } from './emoji.ts';

it.each([
  ['❤️', true],
  ['😂😂😂', true],
  ['👩🏽‍🚀 🥐', true],
  ['😂😂😂😂', false],
  ['Soup 😂', false],
  ['123', false],
  ['5️⃣', true],
  ['©', false],
  ['👨‍👩‍👧‍👦👩‍❤️‍💋‍👨🏴‍☠️', true],
  ['👍🏾👍🏾👍🏾👍🏾', false],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿🇦🇹', true],
  [' ', false],
  ['', false],
])('draws %s larger: %s', (text, few) => {
  expect(isFewEmoji(text)).toBe(few);
});

it('returns the last emoji of the input', () => {
  expect(lastEmoji('yes 👍🏾 and ❤️!')).toBe('❤️');
  expect(lastEmoji('👍👍🏾')).toBe('👍🏾');
  expect(lastEmoji('at 5 🇦🇹🇩🇪')).toBe('🇩🇪');
  expect(lastEmoji('👨‍👩‍👧‍👦')).toBe('👨‍👩‍👧‍👦');
  expect(lastEmoji('yes')).toBeNull();
  expect(lastEmoji('5 © *')).toBeNull();
});
