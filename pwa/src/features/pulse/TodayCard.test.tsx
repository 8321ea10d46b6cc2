import 'fake-indexeddb/auto';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { Features, HowItWorks } from './About.tsx';
import { questionOf } from './day.ts';
import type { ShownEntry } from './pulse.ts';
import { TodayCard } from './TodayCard.tsx';
import type { Readers } from './together.ts';

let page: HTMLElement;
let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  localStorage.clear();
  await freshDb();
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

type More = { readers?: Readers; streak?: number | null };

const render = (today: string, entries: ShownEntry[] = [], { readers = 'me', streak = 0 }: More = {}) =>
  act(async () =>
    root.render(<TodayCard entries={entries} readers={readers} streak={streak} today={today} />),
  );

const reflection = () => page.querySelector('textarea')?.value;

function write(text: string) {
  const field = page.querySelector('textarea');
  if (!field) throw new Error('there is no field');
  return act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const press = (name: string) =>
  act(async () => [...page.querySelectorAll('button')].find((b) => b.textContent === name)?.click());

/** As if the page was left and opened again. */
async function reopen(today: string, entries: ShownEntry[] = []) {
  await act(async () => root.unmount());
  root = createMemberRoot(page);
  await render(today, entries);
}

it('keeps what is being written at midnight', async () => {
  await render('2026-11-25');
  await render('2026-11-26');
  expect(reflection()).toBe('');
  await write('Fog over the bay');
  await render('2026-11-27');
  expect(reflection()).toBe('Fog over the bay');
});

it('has every letter when the page is left right after it', async () => {
  await render('2026-11-26');
  await write('Fog over the bay');
  await reopen('2026-11-26');
  expect(reflection()).toBe('Fog over the bay');
  await reopen('2026-11-27');
  expect(reflection()).toBe('');
});

it('keeps a change of a saved answer until it is cancelled', async () => {
  const saved: ShownEntry = {
    date: '2026-11-26',
    question: questionOf('2026-11-26'),
    mood: 'hopeful',
    reflection: 'Fog',
    editedAt: 0,
    state: 'stored',
  };
  await render('2026-11-26', [saved]);
  await press('Change it');
  await write('Fog, then sun');
  await reopen('2026-11-26', [saved]);
  await press('Change it');
  expect(reflection()).toBe('Fog, then sun');
  await press('Cancel');
  await press('Change it');
  expect(reflection()).toBe('Fog');
});

it.each<[Readers, string, string]>([
  ['me', 'Only you can read this.', 'No other member, moderator or admin can read them.'],
  [
    'unknown',
    'Only you can read this, and your partner while you both share.',
    'Your partner reads what you write while you both share.',
  ],
  [{ partner: 'Ben' }, 'Only you and Ben can read this.', 'Ben reads what you write while you both share.'],
])('says who reads what is written: %o', async (readers, hint, about) => {
  await render('2026-11-26', [], { readers });
  expect(page.textContent).toContain(hint);
  await act(async () =>
    root.render(
      <>
        <Features readers={readers} />
        <HowItWorks onShowStreak={() => undefined} readers={readers} showsStreak={true} />
      </>,
    ),
  );
  expect(page.textContent).toContain(about);
  expect(page.textContent).toContain(
    typeof readers === 'string' ? 'can choose to share' : 'You and Ben share your reflections.',
  );
});

it('shows the streak unless the member does not want to see it', async () => {
  await render('2026-11-26', [], { streak: 3 });
  expect(page.textContent).toContain('A streak of 3 days');
  await render('2026-11-26', [], { streak: null });
  expect(page.textContent).not.toContain('streak');
});
