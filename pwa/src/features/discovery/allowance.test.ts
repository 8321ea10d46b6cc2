import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LikeAllowance } from '@/api/types.ts';
import { readAllowance, refreshAllowance, superLikesLeft } from '@/domain/allowance.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb } from '@/offline/testkit.ts';
import { noSuperLikesLeft } from './allowanceText.ts';
import { like } from './likeAndPass.ts';
import { person } from './testkit.ts';

const full: LikeAllowance = {
  likesLeft: 100,
  superLikesLeft: 3,
  likesResetAt: null,
  superLikesResetAt: null,
};
const serve = (allowance: LikeAllowance) => {
  const headers = { 'Content-Type': 'application/json' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(allowance), { headers }));
};

let db: HeartwardDb;
beforeEach(async () => {
  // Sending starts by a timer. Fake timers keep every row in the outbox.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  await Promise.all(db.tables.map((table) => table.clear()));
});
afterEach(() => vi.useRealTimers());

describe('the daily allowance', () => {
  test('decreases with each like before the server responds', async () => {
    serve(full);
    await refreshAllowance(db);
    await like(db, person('a'), 'super_like', 'deck');
    await like(db, person('b'), 'like', 'deck');
    expect(await readAllowance(db)).toMatchObject({ likesLeft: 99, superLikesLeft: 2 });
  });

  test('is the server’s, minus the likes in the outbox', async () => {
    await like(db, person('a'), 'super_like', 'deck');
    await like(db, person('b'), 'super_like', 'deck');
    await db.outbox
      .orderBy('localSeq')
      .first((row) => row && db.outbox.update(row.clientId, { state: 'failed' }));
    serve(full);
    await refreshAllowance(db);
    expect(await readAllowance(db)).toMatchObject({ likesLeft: 100, superLikesLeft: 2 });
  });

  test('is never negative, and unknown until it was fetched', async () => {
    expect(superLikesLeft(await readAllowance(db))).toBeNull();
    serve({ ...full, superLikesLeft: 0, superLikesResetAt: '2099-01-01T00:00:00Z' });
    await refreshAllowance(db);
    await like(db, person('a'), 'super_like', 'profile');
    expect(superLikesLeft(await readAllowance(db))).toBe(0);
  });

  test('is unknown again after the reset time', () => {
    const noneLeft = { ...full, superLikesLeft: 0, superLikesResetAt: '2026-11-21T15:00:00Z' };
    expect(superLikesLeft(noneLeft, Date.parse('2026-11-21T14:59:59Z'))).toBe(0);
    expect(superLikesLeft(noneLeft, Date.parse('2026-11-21T15:00:00Z'))).toBeNull();
  });
});

test('the text of an empty allowance names the time of the next super like', () => {
  const noneLeft = { ...full, superLikesLeft: 0, superLikesResetAt: '2026-11-21T15:05:00' };
  const description = (now: string) => noSuperLikesLeft(noneLeft, new Date(now)).description;
  expect(description('2026-11-21T08:00:00')).toBe(
    'Your next one arrives today at 3:05 PM. A like works too.',
  );
  expect(description('2026-11-20T18:00:00')).toContain('tomorrow at 3:05 PM');
  expect(noSuperLikesLeft(null).description).toBe('A like works too.');
});
