/** What has not been sent, in words. */
import type { Unsent } from './unsent.ts';

const names: Record<keyof Unsent, string> = {
  recordings: 'recording',
  messages: 'message',
  likes: 'like',
  drafts: 'draft',
  changes: 'other change',
};
const list = new Intl.ListFormat('en-US');

/** "1 recording and 2 messages", and whether that is one thing; null when there is nothing. */
export function listUnsent(unsent: Unsent): { words: string; one: boolean } | null {
  const kinds = (Object.keys(names) as (keyof Unsent)[]).filter((kind) => unsent[kind] > 0);
  const parts = kinds.map((kind) => `${unsent[kind]} ${names[kind]}${unsent[kind] === 1 ? '' : 's'}`);
  if (parts.length === 0) return null;
  const one = parts.length === 1 && parts[0]?.startsWith('1 ') === true;
  // Other than what, where nothing is named before it?
  return { words: parts.length === 1 ? list.format(parts).replace('other ', '') : list.format(parts), one };
}
