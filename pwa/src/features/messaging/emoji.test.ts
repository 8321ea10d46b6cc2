import { describe, expect, it } from 'vitest';
import { isFewEmoji, lastEmoji, QUICK_EMOJI } from './emoji.ts';

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

describe('lastEmoji', () => {
  it.each([
    ['🍰', '🍰'],
    ['👍🏽', '👍🏽'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['🇵🇹', '🇵🇹'],
    ['words 🙂 and', '🙂'],
    ['🙂🙃', '🙃'],
    ['abc', null],
    ['7', null],
    ['', null],
  ])('of %j returns %j', (text, emoji) => {
    expect(lastEmoji(text)).toBe(emoji);
  });

  it('accepts each of the six reactions', () => {
    expect(QUICK_EMOJI.map(lastEmoji)).toEqual([...QUICK_EMOJI]);
  });
});
