import 'fake-indexeddb/auto';
import { afterEach, expect, it } from 'vitest';
import { freshDb } from '@/offline/testkit.ts';
import { unstoredOf } from './interrupted.ts';
import { PROFILE_TEXTS_ROW, storeInterrupted } from './outbox.ts';

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
