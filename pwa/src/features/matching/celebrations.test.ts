import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { freshDb, PEER } from '@/offline/testkit.ts';
import { celebrate, followTyping, nextMoment } from './celebrations.ts';
import { claim, type Moment } from './moments.ts';

let db: HeartwardDb;
let stop: AbortController;
let field: HTMLTextAreaElement;
let count = 0;

/** Moments of one test are new to the others: the queue is the page's. */
const moment = (type: Moment['type'] = 'mutual_like'): Moment => {
  count += 1;
  return { id: `m-${count}`, type, name: 'Ada' };
};

beforeEach(async () => {
  db = await freshDb();
  stop = new AbortController();
  field = document.body.appendChild(document.createElement('textarea'));
  const unfollow = followTyping();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => {
    stop.abort();
    unfollow();
    field.remove();
    document.documentElement.removeAttribute('data-modal');
    document.documentElement.removeAttribute('data-recording');
    vi.useRealTimers();
  };
});

function typeInField(): void {
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Collects what the queue hands out, as the screen does that shows it until it is done. */
function show(): string[] {
  const shown: string[] = [];
  void (async () => {
    for (;;) {
      const next = await nextMoment(db, stop.signal);
      if (!next) return;
      shown.push(next.id);
    }
  })();
  return shown;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('hands out matches and sparks from one queue in their order, each once', async () => {
  const [one, two, three] = [moment(), moment('message_spark'), moment('super_like')];
  celebrate(one);
  celebrate(two);
  celebrate(one);
  const first = await nextMoment(db, stop.signal);
  expect(first?.id).toBe(one.id);
  celebrate(one);
  celebrate(three);
  expect((await nextMoment(db, stop.signal))?.id).toBe(two.id);
  expect((await nextMoment(db, stop.signal))?.id).toBe(three.id);
});

describe('a moment waits', () => {
  it('while the member types, and is claimed only when it is shown', async () => {
    const next = moment();
    typeInField();
    celebrate(next);
    const shown = show();
    for (let keys = 0; keys < 10; keys += 1) {
      await pass(1000);
      typeInField();
    }
    expect(shown).toEqual([]);
    expect(await db.meta.get(`celebrated:${next.id}`)).toBeUndefined();
    await pass(4250);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
    expect(await claim(db, next.id)).toBe(false);
  });

  it('not when a field has the focus and nothing was typed for a while', async () => {
    typeInField();
    await pass(4000);
    const next = moment();
    celebrate(next);
    expect((await nextMoment(db, stop.signal))?.id).toBe(next.id);
  });

  it.each(['data-modal', 'data-recording'])('while the page carries %s', async (mark) => {
    document.documentElement.setAttribute(mark, '1');
    const next = moment('voice_connection');
    celebrate(next);
    const shown = show();
    await pass(60_000);
    expect(shown).toEqual([]);
    document.documentElement.removeAttribute(mark);
    await pass(250);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
  });

  it('and is dropped when the two part meanwhile', async () => {
    typeInField();
    const [gone, next] = [moment(), moment()];
    celebrate(gone, { userId: PEER, at: Date.now() });
    celebrate(next);
    await purgeMember(db, PEER);
    const shown = show();
    await pass(5000);
    await vi.waitFor(() => expect(shown).toEqual([next.id]));
  });
});
