import { useMemo } from 'react';
import { isFewEmoji } from './emoji.ts';
import { linkify } from './links.ts';

/** The text of a message with its links, which open without opener and referrer. */
export function MessageText({ text }: { text: string }) {
  const pieces = useMemo(() => linkify(text), [text]);
  return (
    <span className={isFewEmoji(text) ? 'block text-3xl' : undefined} data-testid="bubble-text" dir="auto">
      {pieces.map(({ text: piece, href }, index) =>
        href ? (
          <a
            // Isolated: neighbouring text of another direction does not reorder the address.
            className="underline decoration-1 underline-offset-2 hover:decoration-2"
            dir="ltr"
            href={href}
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text are never reordered
            key={index}
            rel="noopener noreferrer"
            target="_blank"
          >
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </span>
  );
}
