import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { DraftChecker } from './draftCheck.ts';
import { useNudge } from './useNudge.tsx';

let confirmSend: ReturnType<typeof useNudge>['filter']['confirmSend'];

function Harness() {
  const { filter, question } = useNudge();
  confirmSend = filter.confirmSend;
  return question;
}

it('shows a dialog with Edit focused, and the writer decides', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const nudgeFor = vi
    .spyOn(DraftChecker.prototype, 'nudgeFor')
    .mockResolvedValue({ category: 'harassment', title: 'Are you sure?', text: 'It may hurt.' });
  // The browser reads the attribute only when the dialog opens.
  const focusedLabels: (string | null | undefined)[] = [];
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    focusedLabels.push(this.querySelector('[autofocus]')?.textContent);
  });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<Harness />));
  const draft = { userId: 'ben', text: 'You loser' };
  for (const [name, send] of [
    ['Edit', false],
    ['Send anyway', true],
  ] as const) {
    let decision: Promise<boolean> | undefined;
    await act(async () => {
      decision = confirmSend(draft);
    });
    expect(page.querySelector('dialog')?.textContent).toContain('It may hurt.');
    const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    await act(async () => button?.click());
    expect(await decision).toBe(send);
    expect(page.querySelector('dialog')).toBeNull();
  }
  expect(focusedLabels).toEqual(['Edit', 'Edit']);
  expect(nudgeFor).toHaveBeenCalledWith(draft);
  nudgeFor.mockResolvedValue(null);
  expect(await confirmSend(draft), 'a text without a nudge is sent').toBe(true);
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
