import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { addDays, questionOf } from './day.ts';
import type { ShownEntry } from './pulse.ts';
import { WeekStrip } from './WeekStrip.tsx';

const TODAY = '2026-11-27';

const entryOn = (date: string): ShownEntry => ({
  date,
  question: questionOf(date),
  mood: 'hopeful',
  reflection: 'Fog',
  editedAt: 0,
  state: 'stored',
});

/** Returns the names of the last two days before today, of which the second has no entry. */
async function namesOf(showsRest: boolean, daysInRow: number): Promise<(string | null)[]> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.createElement('div');
  const root = createRoot(page);
  const entries = Array.from({ length: daysInRow }, (_, i) => entryOn(addDays(TODAY, -2 - i)));
  await act(async () => root.render(<WeekStrip entries={entries} showsRest={showsRest} today={TODAY} />));
  const names = [...page.querySelectorAll('button .sr-only')].map((name) => name.textContent);
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
  return names.slice(4, 6);
}

it('shows a rest day of the streak, to those who see the streak', async () => {
  expect(await namesOf(true, 6)).toEqual([', November 25: Hopeful', ', November 26: a rest day']);
  expect(await namesOf(true, 5)).toEqual([', November 25: Hopeful', ', November 26: nothing written']);
  expect(await namesOf(false, 6)).toEqual([', November 25: Hopeful', ', November 26: nothing written']);
});
