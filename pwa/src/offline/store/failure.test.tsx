import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot, freshDb, openDb } from '../testkit.ts';
import { useStorageFailure, watchOpening } from './failure.ts';

let page: HTMLElement;
const shown = () => page.textContent;

function Probe() {
  return useStorageFailure() ?? 'none';
}

beforeEach(async () => {
  await freshDb();
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(<Probe />);
  await vi.waitFor(() => expect(shown()).toBe('none'));
  return () => {
    root.unmount();
    page.remove();
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

it('is known after the first query of a database that the browser refuses, until it opens', async () => {
  localStorage.setItem('hw.member', 'refused');
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('Internal error opening backing store', 'UnknownError');
  });
  const db = openDb('refused');
  await expect(db.meta.count()).rejects.toThrow('Internal error');
  await vi.waitFor(() => expect(shown()).toBe('refused'));
  open.mockRestore();
  db.close({ disableAutoOpen: false });
  expect(await db.meta.count()).toBe(0);
  await vi.waitFor(() => expect(shown()).toBe('none'));
});

it('is not told of the database of a member who has signed out', async () => {
  localStorage.setItem('hw.member', 'leaving');
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    localStorage.removeItem('hw.member');
    throw new DOMException('deleted', 'AbortError');
  });
  await expect(openDb('leaving').meta.count()).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve));
  expect(shown()).toBe('none');
});

it('is told of a browser that does not answer, and no longer once it does', async () => {
  vi.useFakeTimers();
  const opening = Promise.withResolvers<void>();
  const watched = watchOpening(opening.promise, () => false);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(shown()).toBe('none');
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await vi.waitFor(() => expect(shown()).toBe('pending'));
  opening.resolve();
  await watched;
  await vi.waitFor(() => expect(shown()).toBe('none'));
});

it('is told of a device that keeps nothing whose store in memory could not be loaded', async () => {
  localStorage.setItem('hw.keeps-nothing', '1');
  localStorage.setItem('hw.member', 'borrower');
  await expect(openDb('borrower').open()).rejects.toThrow('was not loaded');
  localStorage.removeItem('hw.keeps-nothing');
  await vi.waitFor(() => expect(shown()).toBe('refused'));
  await watchOpening(Promise.resolve(), () => false);
});
