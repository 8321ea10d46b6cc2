import 'fake-indexeddb/auto';
import { act, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { readInterrupted } from '@/offline/outbox/interrupted.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, createMemberRoot, freshDb, ME, PEER } from '@/offline/testkit.ts';
import { popStashedDraft } from './drafts.ts';
import { useMessageDraft } from './useMessageDraft.ts';

let db: HeartwardDb;
let draft: ReturnType<typeof useMessageDraft>;
let reply: (seq: number | null) => void;

function Field() {
  const [seq, set] = useState<number | null>(null);
  draft = useMessageDraft(CONVERSATION, PEER, { seq, set });
  reply = set;
  return null;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  const root = createMemberRoot(document.createElement('div'));
  await act(async () => root.render(<Field />));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

/** setImmediate runs after pending microtasks and before timers. */
const node = globalThis as unknown as { setImmediate: (work: () => void) => void };

/** Hides the page, which saves the draft. */
const hide = () => document.dispatchEvent(new Event('visibilitychange'));

it('leaves no draft of a sent text, saved while it is sent or afterwards', async () => {
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

it('keeps only what was typed while the sent text was being stored', async () => {
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

it('leaves no draft of blanks typed while the sent text was being stored', async () => {
  await act(async () => draft.write('Yes.'));
  await act(async () => {
    const sent = draft.send();
    draft.write('Yes. ');
    expect(await sent).toBe(true);
  });
  expect(draft.text).toBe('');
  await act(async () => hide());
  // A save that had started is done by now.
  expect(await db.transaction('rw', db.drafts, () => db.drafts.toArray())).toEqual([]);
});

it('keeps a text that the outbox could not store', async () => {
  const put = vi.spyOn(db.outbox, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  await act(async () => draft.write('hello'));
  await act(async () => expect(await draft.send()).toBe(false));
  put.mockRestore();
  await act(async () => hide());
  await vi.waitFor(async () => expect((await db.drafts.get(CONVERSATION))?.content).toBe('hello'));
  expect([draft.text, draft.failed]).toEqual(['hello', true]);
});

it('stores the replied-to message with the draft and sends it', async () => {
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

it('keeps a text whose draft was being stored when the page was left', async () => {
  await act(async () => draft.write('hello'));
  const put = vi.spyOn(db.drafts, 'put').mockReturnValue(new Promise(() => undefined) as never);
  await act(async () => hide());
  expect(put).toHaveBeenCalled();
  dispatchEvent(new Event('pagehide'));
  expect(popStashedDraft(CONVERSATION)?.content).toBe('hello');
});

it('keeps a text deleted when its deletion was being stored as the page was left', async () => {
  await act(async () => draft.write('hello'));
  await act(async () => hide());
  expect((await db.drafts.get(CONVERSATION))?.content).toBe('hello');
  vi.spyOn(db.drafts, 'delete').mockReturnValue(new Promise(() => undefined) as never);
  await act(async () => draft.write(''));
  dispatchEvent(new Event('pagehide'));
  expect(popStashedDraft(CONVERSATION)?.content).toBe('');
});

it('sends or keeps as a draft, and not both, a text whose check ended as the page was left', async () => {
  await act(async () => draft.write('hello'));
  vi.spyOn(db, 'transaction').mockReturnValue(new Promise(() => undefined) as never);
  dispatchEvent(new Event('pagehide'));
  await act(async () => void draft.send());
  expect(popStashedDraft(CONVERSATION)).toBeNull();
  expect(readInterrupted(ME)?.map(([, item]) => item)).toMatchObject([{ content: 'hello' }]);
  localStorage.clear();
});
