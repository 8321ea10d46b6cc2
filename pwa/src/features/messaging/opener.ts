import type { Prompt } from '@/api/types.ts';
import { cutText } from '@/ui';

/** The longest part of an answer that is quoted, in characters. */
const MAX_QUOTE = 80;

/** Returns a first message that asks about a member's first written answer; undefined without one. */
export function openerFrom(prompts: readonly Pick<Prompt, 'answer'>[]): string | undefined {
  const answer = prompts
    .find((prompt) => prompt.answer.trim())
    ?.answer.trim()
    .replace(/\s+/g, ' ');
  return answer && `You wrote “${shorten(answer)}” Tell me more?`;
}

/** Returns the text as one sentence: a long one is cut between words, and the end has a punctuation mark. */
function shorten(text: string): string {
  if (text.length > MAX_QUOTE) return `${cutText(text, MAX_QUOTE).replace(/\s+\S*$/, '')}…`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
