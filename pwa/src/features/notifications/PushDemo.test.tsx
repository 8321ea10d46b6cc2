import 'fake-indexeddb/auto';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { Toaster } from '@/ui';
import { PushDemo } from './PushDemo.tsx';

it('shows a match, a message and likes in order, and can be started again afterwards', async () => {
  await freshDb();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  await act(async () =>
    root.render(
      <>
        <PushDemo />
        <Toaster />
      </>,
    ),
  );
  const button = page.querySelector('button');
  const advance = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
  await act(async () => button?.click());
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  await advance(1900);
  expect(page.textContent).not.toContain("It's a Match!");
  await advance(200);
  expect(page.textContent).toContain("It's a Match!");
  await advance(3000);
  expect(page.textContent).toContain('That bakery you mentioned: Saturday morning?');
  await advance(3000);
  expect(page.textContent).toContain('3 people like you');
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  await advance(3000);
  expect(page.textContent).toContain('Demo complete');
  expect(button?.getAttribute('aria-disabled')).toBeNull();
  await act(async () => root.unmount());
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
