/** The six that say most of what is said by a tap. */
export const QUICK = ['❤️', '😂', '😍', '👍', '😮', '😢'] as const;

const EMOJI = /^\p{RGI_Emoji}$/v;

/** What emoji are made of. Their whole list, as above, would take a reader of messages too long to make ready. */
const PARTS =
  /^(?:[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\u{e0020}-\u{e007f}\s]|\u200d|\ufe0f)+$/u;
const LONGEST = 40;

/** One to three of them and nothing else: they say it larger. */
export function isFewEmoji(text: string): boolean {
  if (text.length > LONGEST || !PARTS.test(text)) return false;
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  const drawn = graphemes.filter(({ segment }) => segment.trim());
  return drawn.length > 0 && drawn.length <= 3;
}

/** The last emoji of what was typed on the device's own keyboard; null when there is none. */
export function lastEmoji(text: string): string | null {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  const found = graphemes.map(({ segment }) => segment).filter((segment) => EMOJI.test(segment));
  return found[found.length - 1] ?? null;
}
