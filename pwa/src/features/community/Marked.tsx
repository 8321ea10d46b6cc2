import { Fragment } from 'react';

/** Runs of letters, marks and digits, as the server divides texts into words. */
const WORD = /([\p{L}\p{M}\p{N}]+)/u;

type MarkedProps = { text: string; words: readonly string[] | undefined };

/** A text in which these words are marked, those that a search has found. */
export function Marked({ text, words }: MarkedProps) {
  if (!words?.length) return text;
  return text.split(WORD).map((part, index) =>
    index % 2 === 1 && words.includes(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <mark className="rounded-sm bg-marigold-soft text-ink" key={index}>
        {part}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
