/** Text on a canvas: its lines, and its direction. */

import { graphemes } from '@/ui/graphemes.ts';

/** The letters of scripts that are written from right to left. */
const rightToLeft = /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]$/u;

/** Returns the direction of the first letter outside of isolated parts, as a browser does with dir="auto". */
export function directionOf(text: string): CanvasDirection {
  const letter = /\p{L}/u.exec(text.replace(/\u2068[^\u2069]*\u2069/g, ''));
  return letter && rightToLeft.test(letter[0]) ? 'rtl' : 'ltr';
}

/** Returns a name for a sentence of the other direction, which must not move the words around it. */
export const isolate = (name: string): string => (directionOf(name) === 'rtl' ? `\u2068${name}\u2069` : name);

const ELLIPSIS = '…';

/**
 * Breaks a text into at most `most` lines that fit: between words, and within a word that is longer than a line. What
 * does not fit is replaced by an ellipsis.
 */
export function breakLines(text: string, fits: (line: string) => boolean, most = Infinity): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    const parts = fits(word) ? [word] : breakWord(word, fits);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? '';
  }
  if (line) lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), shorten(lines[most - 1] ?? '', fits)];
}

/** Breaks a word into parts that fit, of one character at least. */
function breakWord(word: string, fits: (line: string) => boolean): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of graphemes(word)) {
    if (part && !fits(part + character)) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

/** Returns the beginning of a line that fits together with an ellipsis. */
function shorten(line: string, fits: (line: string) => boolean): string {
  const characters = graphemes(line);
  while (characters.length > 1 && !fits(characters.join('') + ELLIPSIS)) characters.pop();
  return characters.join('').trimEnd() + ELLIPSIS;
}

type TextStyle = {
  font: string;
  color: string;
  /** The middle of centered lines; the left edge of others. */
  x: number;
  /** The middle of the first line. */
  y: number;
  width: number;
  line: number;
  /** All if undefined. */
  mostLines?: number;
  align: 'start' | 'center';
};

/** Draws a text in lines and returns the y of the line after it. Text from right to left starts at the right edge. */
export function drawText(context: CanvasRenderingContext2D, text: string, style: TextStyle): number {
  context.font = style.font;
  context.fillStyle = style.color;
  context.textBaseline = 'middle';
  context.textAlign = style.align;
  context.direction = directionOf(text);
  const x = style.align === 'start' && context.direction === 'rtl' ? style.x + style.width : style.x;
  const fits = (line: string) => context.measureText(line).width <= style.width;
  const lines = breakLines(text, fits, style.mostLines);
  for (const [index, line] of lines.entries()) context.fillText(line, x, style.y + index * style.line);
  context.direction = 'ltr';
  return style.y + lines.length * style.line;
}
