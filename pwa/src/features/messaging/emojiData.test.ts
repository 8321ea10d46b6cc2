import { expect, it } from 'vitest';
import { QUICK_EMOJI } from './emoji.ts';
import { emojiData } from './emojiData.ts';

it('has the quick emoji, and all others, as keyboards type them', () => {
  const listed = emojiData.emojis.map(({ emoji }) => emoji);
  expect(listed).toEqual(expect.arrayContaining([...QUICK_EMOJI]));
  expect(listed).toEqual(expect.arrayContaining(['👍', '👎', '☕', '🏳️‍🌈', '☺️']));
  expect(listed.filter((emoji) => /\p{Emoji_Presentation}\uFE0F/u.test(emoji))).toEqual([]);
});
