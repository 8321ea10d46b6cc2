import { act, StrictMode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { OpenForm } from './OpenForm.tsx';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const onOpen = vi.fn((_reason: string) => Promise.resolve());

/** Shows a form of its own, and returns its field, or null if it does not ask. */
async function show(askOnceFor?: string): Promise<HTMLInputElement | null> {
  const container = document.body.appendChild(document.createElement('div'));
  await act(async () =>
    createMemberRoot(container).render(<OpenForm askOnceFor={askOnceFor} label="Open" onOpen={onOpen} />),
  );
  return container.querySelector('input');
}

async function give(field: HTMLInputElement, reason: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field, reason);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => field.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
}

it('the reason for a story opens the next ones for an hour, and nothing of another kind', async () => {
  await give((await show('post')) as HTMLInputElement, 'The queue');
  expect(onOpen.mock.calls).toEqual([['The queue']]);
  await show('post');
  expect(onOpen.mock.calls).toEqual([['The queue'], ['The queue']]);
  expect((await show())?.value).toBe('The queue');
  expect((await show('comment'))?.value).toBe('The queue');
  vi.setSystemTime(Date.now() + 3_600_001);
  expect((await show('post'))?.value).toBe('The queue');
  expect(onOpen).toHaveBeenCalledTimes(2);
});

it('opens at once only one time, and does not ask meanwhile, when React runs effects twice as in development', async () => {
  await give((await show('post')) as HTMLInputElement, 'The queue');
  onOpen.mockClear();
  const opening = Promise.withResolvers<void>();
  onOpen.mockReturnValueOnce(opening.promise);
  const container = document.body.appendChild(document.createElement('div'));
  await act(async () =>
    createMemberRoot(container).render(
      <StrictMode>
        <OpenForm askOnceFor="post" label="Open" onOpen={onOpen} />
      </StrictMode>,
    ),
  );
  expect(container.querySelector('input')).toBeNull();
  await act(async () => opening.resolve());
  expect(onOpen).toHaveBeenCalledTimes(1);
});
