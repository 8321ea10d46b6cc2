/** The six that say most of what is said by a tap. */
export const QUICK = ['❤️', '😂', '😍', '👍', '😮', '😢'] as const;

const EMOJI = /^\p{RGI_Emoji}$/v;

const FEW = /^(?:\p{RGI_Emoji}\s?){1,3}$/v;

/** One to three of them and nothing else: they say it larger. */
export const isFewEmoji = (text: string) => text.length <= 40 && FEW.test(text);

/** The last emoji of what was typed on the device's own keyboard; null when there is none. */
export function lastEmoji(text: string): string | null {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  const found = graphemes.map(({ segment }) => segment).filter((segment) => EMOJI.test(segment));
  return found[found.length - 1] ?? null;
}
