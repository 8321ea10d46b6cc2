import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { json } from '@/offline/testkit.ts';
import { useNudge } from './useNudge.tsx';

let ask: ReturnType<typeof useNudge>['filter']['mayGo'];

function Asking() {
  const { filter, question } = useNudge();
  ask = filter.mayGo;
  return question;
}

it('asks with Edit at hand, and the writer decides', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    bodies.push(await request.json());
    return json(200, { nudge: { category: 'harassment', title: 'Are you sure?', text: 'It may hurt.' } });
  });
  // The browser looks for it when the dialog opens, and only then.
  const focused: (string | null | undefined)[] = [];
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    focused.push(this.querySelector('[autofocus]')?.textContent);
  });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<Asking />));
  for (const [name, send] of [
    ['Edit', false],
    ['Send anyway', true],
  ] as const) {
    const answer = ask({ userId: 'ben', text: 'You loser' });
    await vi.waitFor(async () => {
      await act(async () => undefined);
      expect(page.querySelector('dialog')).not.toBeNull();
    });
    const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    await act(async () => button?.click());
    expect(await answer).toBe(send);
  }
  expect(focused).toEqual(['Edit', 'Edit']);
  expect(bodies[0]).toEqual({ recipientId: 'ben', content: 'You loser' });
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
