import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Attachment, Candidate, PublicMember } from '../../api/types.ts';
import { enqueue } from '../outbox/outbox.ts';
import { CONVERSATION, fakeCaches, freshDb, ME, message, PEER } from '../testkit.ts';
import type { HeartwardDb } from './db.ts';
import { putFile } from './fileRows.ts';
import { MERGE_TABLES, mergePage } from './merge.ts';
import { prune, withQuotaRetry } from './quota.ts';
import type { LocalAttachment } from './rows.ts';

let db: HeartwardDb;

/** Returns work that fails this many times as on a full device. */
function fullFor(times: number) {
  let remaining = times;
  return vi.fn(async () => {
    remaining -= 1;
    if (remaining >= 0)
      throw Object.assign(new Error('aborted'), { inner: new DOMException('full', 'QuotaExceededError') });
    return 'stored';
  });
}

const storedData = async () => ({
  files: (await db.files.toArray()).map(({ keep }) => keep),
  bytes: await db.blobs.toCollection().primaryKeys(),
  photos: (await caches.keys()).filter((name) => name.startsWith('hw-files-')).length,
  feed: (await db.feed.toArray()).map(({ id }) => id),
  profiles: await db.profiles.count(),
  messages: await db.messages.count(),
  written: (await db.outbox.count()) + (await db.drafts.count()),
});

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.stubGlobal('caches', fakeCaches({ 'hw-files-me-thumb.webp': {}, 'hw-files-me-full.webp': {} }));
  db = await freshDb();
  await db.feed.bulkPut(
    ['new', 'old'].map((id, rank) => ({
      list: 'forYou' as const,
      id,
      rank,
      candidate: {} as Candidate,
      fetchedAt: id === 'new' ? 2 : 1,
    })),
  );
  await db.profiles.put({ id: 'someone', member: {} as PublicMember, fetchedAt: 1 });
  const page = Array.from({ length: 80 }, (_, index) => message(index + 1));
  await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page));
  await enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'mine' });
  for (const keep of ['heard', 'sent', 'unsent'] as const) {
    const blob = new Blob([keep]);
    await putFile(db, { id: keep, conversationId: CONVERSATION, keep, blob, poster: null, bytes: 1 });
  }
  await db.drafts.put({ conversationId: CONVERSATION, content: 'half', updatedAt: 1 });
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const everything = {
  files: ['heard', 'sent', 'unsent'],
  bytes: ['heard', 'sent', 'unsent'],
  photos: 2,
  feed: ['new', 'old'],
  profiles: 1,
  messages: 81,
  written: 2,
};
const onlyUnsentFiles = { ...everything, files: ['unsent'], bytes: ['unsent'] };

it.each([
  [0, everything],
  [1, { ...everything, files: ['sent', 'unsent'], bytes: ['sent', 'unsent'] }],
  [2, onlyUnsentFiles],
  [3, { ...onlyUnsentFiles, photos: 0 }],
  [4, { ...onlyUnsentFiles, photos: 0, feed: ['new'], profiles: 0 }],
  [5, { ...onlyUnsentFiles, photos: 0, feed: ['new'], profiles: 0, messages: 51 }],
])('evicts no more than needed: full %i times', async (times, remaining) => {
  expect(await withQuotaRetry(db, fullFor(times))).toBe('stored');
  expect(await storedData()).toEqual(remaining);
});

it('rejects when nothing more can be evicted, and keeps unsent data', async () => {
  await expect(withQuotaRetry(db, fullFor(9))).rejects.toThrow('This device is full. Free some space');
  expect(await storedData()).toMatchObject({ written: 2, files: ['unsent'] });
});

it('evicts nothing after another error', async () => {
  await expect(withQuotaRetry(db, () => Promise.reject(new Error('network')))).rejects.toThrow('network');
  expect(await storedData()).toEqual(everything);
});

it('evicts data for a message', async () => {
  const put = vi
    .spyOn(db.outbox, 'put')
    .mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError') as never);
  await enqueue(db, {
    kind: 'message',
    conversationId: CONVERSATION,
    recipientId: PEER,
    content: 'important',
  });
  put.mockRestore();
  expect((await db.outbox.toArray()).map(({ body }) => 'content' in body && body.content)).toContain(
    'important',
  );
  expect((await storedData()).files).toEqual(['sent', 'unsent']);
});

it('skips evictions that find no data', async () => {
  await Promise.all([db.files.clear(), db.blobs.clear()]);
  await withQuotaRetry(db, fullFor(1));
  expect(await storedData()).toEqual({ ...everything, files: [], bytes: [], photos: 0 });
});

it('prune deletes files without a message and bytes without a file, but never unsent ones', async () => {
  await db.blobs.put({ id: 'left', blob: new Blob(['left']), poster: null });
  await db.messages.update([PEER, 'client-80'], { attachments: [{ id: 'heard' } as Attachment] });
  await prune(db);
  expect(await storedData()).toMatchObject({ files: ['heard', 'unsent'], bytes: ['heard', 'unsent'] });
});

it('prune deletes a rejected message that another device has sent again, with its files', async () => {
  const attachments = [
    { localId: 'unsent', kind: 'image', mimeType: 'image/webp', bytes: 1 } as LocalAttachment,
  ];
  const [row] = await db.outbox.toArray();
  if (row?.body.kind !== 'message') throw new Error('the outbox has no message');
  await db.outbox.put({ ...row, state: 'failed', body: { ...row.body, attachments } });
  await prune(db);
  expect(await storedData()).toMatchObject({ files: ['unsent'], written: 2 });

  const resent = { ...message(81), clientId: row.clientId, senderId: ME, attachments: [] };
  await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [resent]));
  await prune(db);
  expect(await storedData()).toMatchObject({ files: [], bytes: [], written: 1 });
});

it('prune keeps an unsent file that an older version of the app has stored', async () => {
  const [row] = await db.outbox.toArray();
  if (row?.body.kind !== 'message') throw new Error('the outbox has no message');
  const file = { localId: 'old', kind: 'image', mimeType: 'image/webp', bytes: 3 } as LocalAttachment;
  await db.outbox.put({ ...row, body: { ...row.body, attachments: [file] } });
  const old = { id: 'old', conversationId: CONVERSATION, keep: 'unsent', bytes: 3, usedAt: 1 };
  await db.table('blobs').put({ ...old, blob: new Blob(['old']), poster: null });
  await prune(db);
  expect(await db.files.get('old')).toEqual({ ...old, blobId: 'old' });
  expect(await db.blobs.get('old')).toBeDefined();
});
