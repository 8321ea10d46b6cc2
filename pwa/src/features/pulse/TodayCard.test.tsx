import 'fake-indexeddb/auto';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshDb } from '@/offline/testkit.ts';
import type { Draft } from './pulse.ts';
import { TodayCard } from './TodayCard.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await freshDb();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

const render = (today: string, draft: Draft | null) =>
  act(async () => root.render(<TodayCard draft={draft} entries={[]} streak={0} today={today} />));

const reflection = () => page.querySelector('textarea')?.value;

/** The draft is stored while the member writes, and is then what the form begins with. */
it('keeps what is being written at midnight, also once its draft is stored', async () => {
  await render('2026-11-25', null);
  await render('2026-11-26', null);
  expect(reflection()).toBe('');
  const draft: Draft = { date: '2026-11-26', mood: 'hopeful', reflection: 'Fog over the bay' };
  await act(async () => root.unmount());
  root = createRoot(page);
  await render('2026-11-26', draft);
  expect(reflection()).toBe('Fog over the bay');
  await render('2026-11-27', draft);
  expect(reflection()).toBe('Fog over the bay');
});
