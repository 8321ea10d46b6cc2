import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { dbOf, type HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { freshDb, PEER } from '@/offline/testkit.ts';
import { type Celebration, claimCelebration } from './celebration.ts';
import { nextCelebration, queueCelebration, queueEvent, trackTyping } from './celebrationQueue.ts';

let db: HeartwardDb;
let stop: AbortController;
let field: HTMLTextAreaElement;
let count = 0;

/** Makes a celebration with a new id. */
const newCelebration = (type: Celebration['type'] = 'mutual_like'): Celebration => {
  count += 1;
  return { id: `m-${count}`, type, name: 'Ada' };
};

beforeEach(async () => {
  db = await freshDb();
  stop = new AbortController();
  field = document.body.appendChild(document.createElement('textarea'));
  const stopTracking = trackTyping(db);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => {
    stop.abort();
    stopTracking();
    field.remove();
    document.documentElement.removeAttribute('data-modal');
    document.documentElement.removeAttribute('data-recording');
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

function typeInField(): void {
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Collects the ids that the queue returns, as `Celebrations` does. */
function collectShown(tab = db): string[] {
  const shown: string[] = [];
  void (async () => {
    for (;;) {
      const celebration = await nextCelebration(tab, stop.signal);
      if (!celebration) return;
      shown.push(celebration.id);
    }
  })();
  return shown;
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('returns matches and sparks from one queue in order, each once', async () => {
  const [one, two, three] = [newCelebration(), newCelebration('message_spark'), newCelebration('super_like')];
  queueCelebration(db, one);
  queueCelebration(db, two);
  queueCelebration(db, one);
  const first = await nextCelebration(db, stop.signal);
  expect(first?.id).toBe(one.id);
  queueCelebration(db, one);
  queueCelebration(db, three);
  expect((await nextCelebration(db, stop.signal))?.id).toBe(two.id);
  expect((await nextCelebration(db, stop.signal))?.id).toBe(three.id);
});

it('returns celebrations in the order of their events, however long each takes to load', async () => {
  const [slow, unavailable, failing, fast] = [
    newCelebration(),
    newCelebration(),
    newCelebration(),
    newCelebration(),
  ];
  const loaded = Promise.withResolvers<Celebration>();
  vi.spyOn(console, 'warn').mockReturnValue();
  queueEvent(db, { id: slow.id, load: () => loaded.promise });
  queueEvent(db, { id: unavailable.id, load: async () => undefined });
  queueEvent(db, { id: failing.id, load: () => Promise.reject(new Error('offline')) });
  queueCelebration(db, fast);
  const shown = collectShown();
  await advance(60_000);
  expect(shown).toEqual([]);
  loaded.resolve(slow);
  await vi.waitFor(() => expect(shown).toEqual([slow.id, fast.id]));
  expect(console.warn, 'for the one that failed').toHaveBeenCalledOnce();
});

it('shows what two tabs announce in one of them', async () => {
  // Another session of the member is that of another tab, with the same database.
  const otherTab = dbOf(new Session(db.memberId));
  const [match, spark, third] = [newCelebration(), newCelebration('message_spark'), newCelebration()];
  for (const next of [match, spark]) {
    queueCelebration(db, next);
    queueCelebration(otherTab, next);
  }
  const idsHere = collectShown();
  const idsThere = collectShown(otherTab);
  await vi.waitFor(() => expect([...idsHere, ...idsThere]).toHaveLength(2));
  queueCelebration(db, third);
  await vi.waitFor(() => expect(idsHere).toContain(third.id));
  expect([...idsHere, ...idsThere].sort()).toEqual([match.id, spark.id, third.id].sort());
});

describe('a queued celebration', () => {
  it('waits while the member types, and is claimed only when it is shown', async () => {
    const next = newCelebration();
    typeInField();
    queueCelebration(db, next);
    const shown = collectShown();
    for (let keys = 0; keys < 10; keys += 1) {
      await advance(1000);
      typeInField();
    }
    expect(shown).toEqual([]);
    expect(await db.meta.get(`celebrated:${next.id}`)).toBeUndefined();
    await advance(4250);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
    expect(await claimCelebration(db, next.id)).toBe(false);
  });

  it('does not wait for a focused field without input for a while', async () => {
    typeInField();
    await advance(4000);
    const next = newCelebration();
    queueCelebration(db, next);
    expect((await nextCelebration(db, stop.signal))?.id).toBe(next.id);
  });

  it.each(['data-modal', 'data-recording'])('waits while the root element has %s', async (mark) => {
    document.documentElement.setAttribute(mark, '1');
    const next = newCelebration('voice_connection');
    queueCelebration(db, next);
    const shown = collectShown();
    await advance(60_000);
    expect(shown).toEqual([]);
    document.documentElement.removeAttribute(mark);
    await advance(250);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
  });

  it('waits while the tab is hidden, and is loaded only when the tab is shown', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const next = newCelebration();
    const load = vi.fn(async () => next);
    queueEvent(db, { id: next.id, load });
    const shown = collectShown();
    await advance(60_000);
    expect(load).not.toHaveBeenCalled();
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
  });

  it('waits, loaded once, when the member begins to type while it is loaded', async () => {
    const next = newCelebration();
    const load = vi.fn(async () => {
      typeInField();
      return next;
    });
    queueEvent(db, { id: next.id, load });
    const shown = collectShown();
    await advance(3000);
    expect(load).toHaveBeenCalledOnce();
    expect(shown).toEqual([]);
    await advance(1250);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
    expect(load).toHaveBeenCalledOnce();
  });

  it('is dropped when the members part before it is shown', async () => {
    typeInField();
    const [purged, next] = [newCelebration(), newCelebration()];
    queueCelebration(db, purged, { userId: PEER, at: Date.now() });
    queueCelebration(db, next);
    await purgeMember(db, PEER);
    const shown = collectShown();
    await advance(5000);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
  });
});
