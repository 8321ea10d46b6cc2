import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { openDb } from '@/offline/testkit.ts';
import { goLive } from './liveSession.ts';

const ME = '019a0000-0000-7000-8000-00000000000a';
const PEER = '019a0000-0000-7000-8000-00000000000b';

it('sends a like only when the session is started, so that no listener added before misses its result', async () => {
  const likes: unknown[] = [];
  vi.stubGlobal('WebSocket', class extends EventTarget {});
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url, location.origin).pathname !== '/api/likes') throw new TypeError('no network');
    likes.push(await request.clone().json());
    return new Response('{"isMatch":true}', { headers: { 'Content-Type': 'application/json' } });
  });
  localStorage.setItem('hw.member', ME);
  const db = openDb(ME);
  await db.open();
  // A profile screen listens before the rest of the app is loaded, to update the number of likes left.
  const results: [listener: string, clientId: string][] = [];
  senderOf(db).onSettled(({ row }) => results.push(['profile', row.clientId]));

  const id = await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like' });
  senderOf(db).kick({ eager: true });
  // Sending takes a few transactions, and would be over after these.
  for (let transactions = 0; transactions < 50; transactions += 1) await db.outbox.update(id, {});
  expect(likes).toEqual([]);

  senderOf(db).onSettled(({ row }) => results.push(['celebrations', row.clientId]));
  goLive(db);
  await vi.waitFor(() => expect(likes).toHaveLength(1));
  await vi.waitFor(() =>
    expect(results).toEqual([
      ['profile', id],
      ['celebrations', id],
    ]),
  );
  vi.unstubAllGlobals();
});
