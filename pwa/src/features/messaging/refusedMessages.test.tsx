import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Settled } from '@/offline/outbox/drain.ts';
import { Toaster } from '@/ui';
import { useRefusedChanges } from './useMessageActions.ts';

const settled = vi.hoisted(() => ({ tell: (_: unknown) => undefined as unknown }));
vi.mock('@/offline/outbox/outbox.ts', () => ({
  enqueue: vi.fn(),
  onSettled: (listener: (result: unknown) => void) => {
    settled.tell = listener;
    return () => undefined;
  },
}));

function Screen() {
  useRefusedChanges();
  return <Toaster />;
}

let shown: HTMLElement;
const end = (result: object) => act(async () => settled.tell(result as Settled));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  shown = document.body.appendChild(document.createElement('div'));
  const root = createRoot(shown);
  await act(async () => root.render(<Screen />));
  return async () => {
    await act(async () => root.unmount());
    shown.remove();
    vi.unstubAllGlobals();
  };
});

it('a refused message is told in a toast, one that was sent is not', async () => {
  await end({ row: { kind: 'message' }, ok: true });
  expect(shown.textContent).toBe('');
  await end({ row: { kind: 'message' }, ok: false, status: 422, reason: 'This message is too long.' });
  expect(shown.querySelector('[role=alert]')?.textContent).toBe(
    'Failed to send messageThis message is too long.',
  );
  await end({ row: { kind: 'message' }, ok: false, status: 404, reason: '' });
  expect(shown.textContent).toBe('Failed to send messagePlease check your connection.');
});

it('a refused reaction is shown in a toast, except on a message that is gone', async () => {
  const before = shown.textContent;
  await end({ row: { kind: 'reaction' }, ok: false, status: 404, reason: 'Gone.' });
  expect(shown.textContent).toBe(before);
  await end({ row: { kind: 'reaction' }, ok: false, status: 422, reason: 'Not this one.' });
  expect(shown.querySelector('[role=alert]')?.textContent).toBe('Your reaction was not takenNot this one.');
});
