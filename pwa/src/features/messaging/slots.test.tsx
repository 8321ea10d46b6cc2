import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { SlotsProvider, useMessageFilter } from './slots.ts';

let field: ReturnType<typeof useMessageFilter>;
function Field({ text }: { text: string }) {
  field = useMessageFilter({ userId: 'ben', text });
  return null;
}

it('checks a text when it is typed or sent, not when a draft is shown', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const filter = { onInput: vi.fn(), confirmSend: vi.fn(async () => false) };
  const root = createMemberRoot(document.createElement('div'));
  const show = (text: string) =>
    act(async () =>
      root.render(
        <SlotsProvider value={{ filter }}>
          <Field text={text} />
        </SlotsProvider>,
      ),
    );
  await show('');
  await show('a draft from yesterday');
  expect(filter.onInput).not.toHaveBeenCalled();
  field.textChanged('a draft from yesterday, ');
  expect(filter.onInput).toHaveBeenCalledExactlyOnceWith({ userId: 'ben', text: 'a draft from yesterday,' });
  expect(await field.confirmSend()).toBe(false);
  expect(filter.confirmSend).toHaveBeenCalledExactlyOnceWith({
    userId: 'ben',
    text: 'a draft from yesterday',
  });
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
