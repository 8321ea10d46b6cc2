import 'fake-indexeddb/auto';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import { useDraft } from './useComposer.ts';

let db: HeartwardDb;
let draft: ReturnType<typeof useDraft>;
let reply: (seq: number | null) => void;

function Field() {
  const [seq, set] = useState<number | null>(null);
  draft = useDraft(CONVERSATION, PEER, { seq, set });
  reply = set;
  return null;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<Field />));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

/** After what is ready now and before any timer. */
const node = globalThis as unknown as { setImmediate: (work: () => void) => void };

/** Saving is due just now: the page is being hidden. */
const hide = () => document.dispatchEvent(new Event('visibilitychange'));

it('keeps nothing of a text as a draft once it was sent, whenever saving falls due', async () => {
  await act(async () => draft.write('hello'));
  await act(async () => {
    node.setImmediate(hide);
    expect(await draft.send()).toBe(true);
  });
  await act(async () => hide());
  await vi.waitFor(async () => expect(await db.messages.count()).toBe(1));
  expect(await db.drafts.toArray()).toEqual([]);
  expect(draft.text).toBe('');
});

it('keeps what was typed while a text was being stored, and not the text once more', async () => {
  await act(async () => draft.write('Yes.'));
  await act(async () => {
    const sent = draft.send();
    draft.write('Yes.The early train');
    expect(await sent).toBe(true);
  });
  expect(draft.text).toBe('The early train');
  await act(async () => hide());
  await vi.waitFor(async () => expect((await db.drafts.get(CONVERSATION))?.content).toBe('The early train'));
});

it('keeps nothing of a blank that was typed while a text was being stored', async () => {
  await act(async () => draft.write('Yes.'));
  await act(async () => {
    const sent = draft.send();
    draft.write('Yes. ');
    expect(await sent).toBe(true);
  });
  expect(draft.text).toBe('');
  await act(async () => hide());
  // Whatever the saving had begun is done by now.
  expect(await db.transaction('rw', db.drafts, () => db.drafts.toArray())).toEqual([]);
});

it('keeps a text that could not be stored for sending', async () => {
  const put = vi.spyOn(db.outbox, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  await act(async () => draft.write('hello'));
  await act(async () => expect(await draft.send()).toBe(false));
  put.mockRestore();
  await act(async () => hide());
  await vi.waitFor(async () => expect((await db.drafts.get(CONVERSATION))?.content).toBe('hello'));
  expect([draft.text, draft.failed]).toEqual(['hello', true]);
});

it('keeps what the text answers to with the draft, and sends it along', async () => {
  await act(async () => draft.write('yes'));
  await act(async () => reply(7));
  await act(async () => hide());
  await vi.waitFor(async () =>
    expect(await db.drafts.get(CONVERSATION)).toMatchObject({ content: 'yes', replyTo: 7 }),
  );
  await act(async () => expect(await draft.send()).toBe(true));
  expect((await db.outbox.toArray()).map(({ body }) => body)).toMatchObject([{ content: 'yes', replyTo: 7 }]);
  await act(async () => hide());
  expect(await db.drafts.count()).toBe(0);
});
