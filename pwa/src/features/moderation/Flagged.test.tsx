import 'fake-indexeddb/auto';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import type { MessageRow } from '@/offline/store/rows.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { Flagged } from './Flagged.tsx';

const row = { conversationId: 'c', seq: 1, flag: 'harassment' } as MessageRow;

it.each([
  ['Yes', false],
  ['No, show it', true],
])('after the answer “%s” that cannot be sent, the message is shown: %s', async (answer, isShown) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  const onBothered = vi.fn();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  await act(async () =>
    root.render(
      <Flagged onBothered={onBothered} row={row}>
        Hurtful
      </Flagged>,
    ),
  );
  const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === answer);
  await act(async () => button?.click());
  await vi.waitFor(() => expect(button?.disabled).toBe(false));
  expect(page.textContent?.includes('Hurtful')).toBe(isShown);
  expect(onBothered).toHaveBeenCalledTimes(isShown ? 0 : 1);
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
