import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Settled } from '@/offline/outbox/drain.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { Toaster } from '@/ui';
import { useRejectedChanges } from './useMessageActions.ts';

const outboxListener = vi.hoisted(() => ({ notify: (_: unknown) => undefined as unknown }));
vi.mock('@/offline/outbox/sender.ts', () => ({
  senderOf: () => ({
    onSettled: (listener: (result: unknown) => void) => {
      outboxListener.notify = listener;
      return () => undefined;
    },
  }),
}));

function Screen() {
  useRejectedChanges();
  return <Toaster />;
}

let page: HTMLElement;
const settle = (result: object) => act(async () => outboxListener.notify(result as Settled));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  await act(async () => root.render(<Screen />));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

it('a rejected message is reported in a toast, a sent one is not', async () => {
  await settle({ row: { kind: 'message' }, ok: true });
  expect(page.textContent).toBe('');
  await settle({ row: { kind: 'message' }, ok: false, status: 422, reason: 'This message is too long.' });
  expect(page.querySelector('[role=alert]')?.textContent).toBe(
    'Failed to send messageThis message is too long.',
  );
  await settle({ row: { kind: 'message' }, ok: false, status: 404, reason: '' });
  expect(page.textContent).toBe('Failed to send messagePlease check your connection.');
});

it('a rejected reaction is reported in a toast, except on a deleted message', async () => {
  const before = page.textContent;
  await settle({ row: { kind: 'reaction' }, ok: false, status: 404, reason: 'Gone.' });
  expect(page.textContent).toBe(before);
  await settle({ row: { kind: 'reaction' }, ok: false, status: 422, reason: 'Not this one.' });
  expect(page.querySelector('[role=alert]')?.textContent).toBe("Your reaction wasn't savedNot this one.");
});
