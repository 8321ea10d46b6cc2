/** Texts by the characters that people see: a letter with its marks, or a whole emoji. */

/** Splits a text where it may be broken: within no emoji and no letter with its marks. */
export function graphemes(text: string): string[] {
  // Firefox has it since version 125. Code points are the next best.
  if (!('Segmenter' in Intl)) return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Returns the longest beginning of a text of at most `max` UTF-16 units that ends between two characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let cut = '';
  for (const character of graphemes(text)) {
    if (cut.length + character.length > max) break;
    cut += character;
  }
  return cut;
}

/** Returns the first letter of a name with its marks, in upper case; "♥" for a name without a letter. */
export function initialOf(name: string): string {
  return /\p{L}\p{M}*/u.exec(name)?.[0].toUpperCase() ?? '♥';
}
