import 'fake-indexeddb/auto';
import type { Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { withRecordingLock } from '@/offline/store/recordings.ts';
import { CONVERSATION, createMemberRoot, fakeLocks, freshDb, PEER, summary } from '@/offline/testkit.ts';
import { UnsentRecordings } from './UnsentRecordings.tsx';

let db: HeartwardDb;
let page: HTMLElement;
let root: Root;
const to = { id: CONVERSATION, userId: PEER };

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  await db.chunks.put({
    recordingId: 'r1',
    index: 0,
    conversationId: CONVERSATION,
    kind: 'voice',
    mimeType: 'audio/webm',
    blob: new Blob(['sound']),
    elapsedMs: 1000,
    levels: [1],
    poster: null,
  });
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return () => {
    root.unmount();
    page.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const button = (name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name);

it('revokes the URL of a recording that is sent without being played', async () => {
  const createUrl = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:unplayed');
  const revokeUrl = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  root.render(<UnsentRecordings to={to} />);
  await vi.waitFor(() => expect(button('Send')).toBeDefined());
  button('Send')?.click();
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(1));
  expect(createUrl).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(revokeUrl).toHaveBeenCalledWith('blob:unplayed'));
});

it('offers a recording again after another tab failed to send it', async () => {
  const locks = fakeLocks();
  let busy = false;
  const query = async () => ({ held: busy ? [{ name: 'hw-recording-r1' }] : [] });
  vi.stubGlobal('navigator', { ...navigator, locks: { ...locks, query } });
  let fail: (error: Error) => void = () => undefined;
  busy = true;
  const sending = withRecordingLock(db, 'r1', () => new Promise((_resolve, reject) => (fail = reject)));
  root.render(<UnsentRecordings to={to} />);
  // It is not offered while the other tab has it: the query has run by then.
  await new Promise((resolve) => setTimeout(resolve));
  await db.transaction('r', db.chunks, () => db.chunks.count());
  expect(button('Send')).toBeUndefined();
  busy = false;
  fail(new Error('full'));
  await expect(sending).rejects.toThrow('full');
  await vi.waitFor(() => expect(button('Send')).toBeDefined());
});
