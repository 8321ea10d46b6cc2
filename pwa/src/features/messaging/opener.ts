import type { Prompt } from '@/api/types.ts';
import { cutText } from '@/ui';

/** The longest part of an answer that is quoted, in characters. */
const MAX_QUOTE = 80;

/** Ways to ask about an answer. They fit every answer, a sentence as well as a word. */
const WORDINGS: readonly ((quote: string) => string)[] = [
  (quote) => `${quote} What's the story behind that?`,
  (quote) => `I read ${quote} and had to write. Tell me more?`,
  (quote) => `${quote} made me smile. How did that start?`,
  (quote) => `Okay, I have questions about ${quote}`,
  (quote) => `If we ever meet, I want to hear about this first: ${quote}`,
];

/**
 * Returns a first message about each written answer of a member, three at most, each worded differently. `seed`, such as
 * the id of the conversation, chooses the wordings, so that a member does not get the same line from everybody.
 */
export function openersFrom(prompts: readonly Pick<Prompt, 'answer'>[], seed: string): string[] {
  const first = [...seed].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  return prompts
    .map(({ answer }) => answer.trim().replace(/\s+/g, ' '))
    .filter((answer) => answer !== '')
    .slice(0, 3)
    .map((answer, index) => WORDINGS[(first + index) % WORDINGS.length]?.(`“${shorten(answer)}”`) ?? '');
}

/** Returns the text as one sentence: a long one is cut between words, and the end has a punctuation mark. */
function shorten(text: string): string {
  if (text.length > MAX_QUOTE) return `${cutText(text, MAX_QUOTE).replace(/\s+\S*$/, '')}…`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
