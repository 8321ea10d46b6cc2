/** The text about unsent data. */
import { formatList } from '@/base/format.ts';
import type { Unsent } from './unsent.ts';

const names: Record<keyof Unsent, string> = {
  recordings: 'recording',
  messages: 'message',
  photos: 'photo',
  likes: 'like',
  reflections: 'reflection',
  comments: 'comment',
  drafts: 'draft',
  changes: 'other change',
};

/** Returns "1 recording and 2 messages", and whether it is a single item; null if there is none. */
export function listUnsent(unsent: Unsent): { words: string; one: boolean } | null {
  const kinds = (Object.keys(names) as (keyof Unsent)[]).filter((kind) => unsent[kind] > 0);
  const parts = kinds.map((kind) => `${unsent[kind]} ${names[kind]}${unsent[kind] === 1 ? '' : 's'}`);
  if (parts.length === 0) return null;
  const one = parts.length === 1 && parts[0]?.startsWith('1 ') === true;
  // "other" needs an item before it.
  return { words: parts.length === 1 ? formatList(parts).replace('other ', '') : formatList(parts), one };
}

/** Returns "1 recording and 2 messages have not been sent yet."; null if there is none. */
export function describeUnsent(unsent: Unsent): string | null {
  const named = listUnsent(unsent);
  return named && `${named.words} ${named.one ? 'has' : 'have'} not been sent yet.`;
}
