import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { storageKeys } from '@/base/storage.ts';
import { bindDeviceTo } from '@/offline/device/wipe.ts';
import { startOutbox } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { setMeta } from '@/offline/store/meta.ts';
import { createMemberRoot, freshDb, ME } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { readNote } from './note.ts';
import PrivateNote from './PrivateNote.tsx';

const BEN = '019a0000-0000-7000-8000-0000000000be';
let db: HeartwardDb;
let page: HTMLElement;
let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  localStorage.clear();
  db = await freshDb();
  await bindDeviceTo(ME);
  await setMeta(db, `note:${BEN}`, { content: '', editedAt: '2026-11-25T20:00:00.000Z' });
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <PrivateNote firstName="Ben" memberId={BEN} />
      </QueryClientProvider>,
    ),
  );
  while (field().disabled) await act(() => new Promise((resolve) => setTimeout(resolve)));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    queryClient.clear();
    localStorage.clear();
    vi.unstubAllGlobals();
  };
});

const field = () => page.querySelector('textarea') as HTMLTextAreaElement;

function write(text: string) {
  return act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const leave = () => dispatchEvent(Object.assign(new Event('pagehide'), { persisted: false }));

/** Starts as the page that follows, which has what was in localStorage and nothing that was being stored. */
async function openNextPage() {
  await db.outbox.clear();
  const stop = startOutbox(db);
  await vi.waitFor(() => expect(localStorage.getItem(storageKeys.storing)).toBeNull());
  stop();
}

it('has every letter when the page is left before the pause', async () => {
  await write('Her sister is called Mo');
  leave();
  await openNextPage();
  expect(await readNote(db, BEN)).toEqual({ content: 'Her sister is called Mo', state: 'waiting' });
});

it('has the text when the page is left while it is being stored', async () => {
  await write('Her sister is called Mo');
  field().dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  leave();
  await openNextPage();
  expect((await readNote(db, BEN))?.content).toBe('Her sister is called Mo');
});

it('leaves nothing behind once it is stored, and nothing after signing out', async () => {
  await write('Her sister is called Mo');
  await act(async () => void field().dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
  await vi.waitFor(async () => expect((await readNote(db, BEN))?.state).toBe('waiting'));
  await vi.waitFor(() => {
    localStorage.removeItem(storageKeys.storing);
    leave();
    expect(localStorage.getItem(storageKeys.storing)).toBeNull();
  });
  await write('And her brother Al');
  localStorage.removeItem(storageKeys.member);
  localStorage.removeItem(storageKeys.storing);
  leave();
  expect(localStorage.getItem(storageKeys.storing)).toBeNull();
});
