import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { Toaster } from '@/ui';
import { reportRejected } from './rejected.ts';

it('tells the member that a like was rejected, and why', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(() => root.render(<Toaster />));
  const row = { kind: 'postLike', body: { kind: 'postLike', postId: 'p1', liked: true } };
  await act(() => reportRejected({ ok: false, row, reason: 'We could not find that post.' } as Settled));
  expect(page.querySelector('[role=alert]')?.textContent).toBe(
    'Failed to like postWe could not find that post.',
  );
  await act(() => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
