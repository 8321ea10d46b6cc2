import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { findUnsent, type Unsent } from '@/offline/outbox/unsent.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { SignOutButton } from './SignOutButton.tsx';
import { signOut } from './session.ts';

vi.mock('@/offline/outbox/unsent.ts', () => ({ findUnsent: vi.fn() }));
/** The chunk of the dialog, which arrives when the first test says so. */
const chunk = vi.hoisted(() => ({ arrival: Promise.withResolvers<void>(), isRequested: false }));
vi.mock('./SignOutDialog.tsx', async (importOriginal) => {
  chunk.isRequested = true;
  const module = await importOriginal<object>();
  await chunk.arrival.promise;
  return module;
});
vi.mock('./session.ts', () => ({ signOut: vi.fn(() => new Promise(() => undefined)) }));

const noUnsent: Unsent = {
  recordings: 0,
  messages: 0,
  photos: 0,
  likes: 0,
  reflections: 0,
  comments: 0,
  drafts: 0,
  changes: 0,
};

let page: HTMLElement;
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(() => undefined);
  vi.mocked(signOut).mockClear();
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  await act(async () => root.render(<SignOutButton />));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

async function press(name: string): Promise<void> {
  const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  await act(async () => {
    button?.click();
    await vi.dynamicImportSettled();
  });
}
const dialogText = () => page.querySelector('dialog p')?.textContent ?? null;

it('asks without the dialog, whose chunk is requested during the check, if it takes too long', async () => {
  vi.useFakeTimers();
  const confirm = vi.fn(() => false);
  vi.stubGlobal('confirm', confirm);
  const check = Promise.withResolvers<Unsent>();
  vi.mocked(findUnsent).mockReturnValue(check.promise);
  const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  await act(async () => page.querySelector('button')?.click());
  await wait(1000);
  expect(chunk.isRequested).toBe(true);
  check.resolve({ ...noUnsent, messages: 2 });
  await wait(2500);
  expect(confirm.mock.calls).toEqual([
    ['Sign out now? 2 messages have not been sent yet. Signing out removes everything from this device.'],
  ]);
  expect(signOut).not.toHaveBeenCalled();
  vi.useRealTimers();
  chunk.arrival.resolve();
  await act(() => vi.dynamicImportSettled());
});

it.each([
  [{ messages: 1 }, '1 message has not been sent yet.'],
  [{ recordings: 1, messages: 2 }, '1 recording and 2 messages have not been sent yet.'],
  [{ changes: 1 }, '1 change has not been sent yet.'],
  [
    { messages: 1, likes: 3, drafts: 1, changes: 2 },
    '1 message, 3 likes, 1 draft, and 2 other changes have not been sent yet.',
  ],
] as [Partial<Unsent>, string][])('names the unsent items: %o', async (unsent, text) => {
  vi.mocked(findUnsent).mockResolvedValue({ ...noUnsent, ...unsent });
  await press('Sign Out');
  expect(dialogText()).toBe(`${text} Signing out removes everything from this device.`);
  await press('Stay');
  expect(dialogText()).toBeNull();
  expect(signOut).not.toHaveBeenCalled();
  await press('Sign Out');
  await press('Sign out and discard');
  expect(signOut).toHaveBeenCalledOnce();
});

it('signs out at once when everything was sent', async () => {
  vi.mocked(findUnsent).mockResolvedValue(noUnsent);
  await press('Sign Out');
  expect(dialogText()).toBeNull();
  expect(signOut).toHaveBeenCalledOnce();
});

it('signs out once when it is pressed again during the check', async () => {
  let resolveUnsent: (unsent: Unsent) => void = () => undefined;
  vi.mocked(findUnsent)
    .mockClear()
    .mockReturnValue(
      new Promise((resolve) => {
        resolveUnsent = resolve;
      }),
    );
  await press('Sign Out');
  await press('Sign Out');
  await act(async () => resolveUnsent(noUnsent));
  expect([vi.mocked(findUnsent).mock.calls.length, vi.mocked(signOut).mock.calls.length]).toEqual([1, 1]);
});

it('asks when the check fails or takes too long', async () => {
  vi.mocked(findUnsent).mockRejectedValue(new Error('closed'));
  await press('Sign Out');
  expect(dialogText()).toContain('We cannot see whether everything you wrote has been sent.');
  await press('Stay');
  vi.useFakeTimers();
  vi.mocked(findUnsent).mockReturnValue(new Promise(() => undefined));
  await press('Sign Out');
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(dialogText()).toContain('We cannot see whether everything you wrote has been sent.');
  expect(signOut).not.toHaveBeenCalled();
});
