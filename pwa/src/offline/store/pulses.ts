/** The Love Pulse in the `meta` table, as page and service worker store it. */

import type { PulseEntry, PulseMood } from '../../api/types.ts';
import type { MetaRow } from './meta.ts';
import type { Tx } from './tx.ts';

export const moods: Record<PulseMood, { emoji: string; label: string }> = {
  peaceful: { emoji: '💙', label: 'Peaceful' },
  hopeful: { emoji: '💚', label: 'Hopeful' },
  content: { emoji: '💛', label: 'Content' },
  energetic: { emoji: '🧡', label: 'Energetic' },
  passionate: { emoji: '❤️', label: 'Passionate' },
  inspired: { emoji: '💜', label: 'Inspired' },
  grateful: { emoji: '🤍', label: 'Grateful' },
};

/** Returns the text of an answer as the API has it. */
export const responseOf = (mood: PulseMood, reflection: string): string =>
  `${moods[mood].emoji} ${moods[mood].label}: ${reflection}`;

/** Returns the entries, the newest first, with the new one in place of that of its day. */
export const withEntry = (entries: readonly PulseEntry[], entry: PulseEntry): PulseEntry[] =>
  [entry, ...entries.filter(({ date }) => date !== entry.date)].sort((a, b) => b.date.localeCompare(a.date));

/** Stores what the server has stored of a day. */
export async function mergePulse(tx: Tx, entry: PulseEntry): Promise<void> {
  const row = (await tx.get('meta', 'pulse')) as Extract<MetaRow, { key: 'pulse' }> | undefined;
  const stored = row?.value ?? { entries: [], next: null, streak: null };
  await tx.put('meta', { key: 'pulse', value: { ...stored, entries: withEntry(stored.entries, entry) } });
}
