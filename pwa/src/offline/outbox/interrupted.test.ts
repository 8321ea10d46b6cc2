import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import { unstoredOf } from './interrupted.ts';
import { enqueue, PROFILE_TEXTS_ROW, storeInterrupted } from './outbox.ts';

afterEach(() => localStorage.clear());

const texts = { kind: 'profileTexts', texts: { bio: 'Half a' }, before: { bio: '' } } as const;

// A member who reloads while writing is still writing.
it('holds a text whose write the end of the page interrupted, as long as it was to be held', async () => {
  const db = await freshDb();
  await unstoredOf(db).whileRecorded(PROFILE_TEXTS_ROW, texts, 60_000, async () => {
    dispatchEvent(new Event('pagehide'));
  });
  await storeInterrupted(db);
  const row = await db.outbox.get(PROFILE_TEXTS_ROW);
  expect(row).toMatchObject({ isHeld: true, body: texts });
  expect(row?.nextAt).toBeGreaterThan(Date.now() + 50_000);
});

const message = (content: string) => ({
  kind: 'message' as const,
  conversationId: CONVERSATION,
  recipientId: PEER,
  content,
});

// A request that fails as the page is left goes on between the listeners of the event, or after them.
it.each(['before', 'after'])(
  'keeps the first message, written %s the others listen to the end of the page',
  async (when) => {
    const db = await freshDb();
    vi.spyOn(db, 'transaction').mockReturnValue(new Promise(() => undefined) as never);
    const write = () => void enqueue(db, message('right before a reload'));
    if (when === 'before') addEventListener('pagehide', write, { capture: true, once: true });
    dispatchEvent(new Event('pagehide'));
    if (when === 'after') write();
    vi.restoreAllMocks();
    await storeInterrupted(db);
    expect((await db.outbox.toArray()).map(({ body }) => body)).toMatchObject([
      { content: 'right before a reload' },
    ]);
  },
);
