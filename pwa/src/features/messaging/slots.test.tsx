import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { SlotsProvider, useFilter } from './slots.ts';

let field: ReturnType<typeof useFilter>;
function Field({ text }: { text: string }) {
  field = useFilter({ userId: 'ben', text });
  return null;
}

it('has words looked at once they are written or are to go, not for being shown again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const filter = { writing: vi.fn(), mayGo: vi.fn(async () => false) };
  const root = createRoot(document.createElement('div'));
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
  expect(filter.writing).not.toHaveBeenCalled();
  field.wrote('a draft from yesterday, ');
  expect(filter.writing).toHaveBeenCalledExactlyOnceWith({ userId: 'ben', text: 'a draft from yesterday,' });
  expect(await field.mayGo()).toBe(false);
  expect(filter.mayGo).toHaveBeenCalledExactlyOnceWith({ userId: 'ben', text: 'a draft from yesterday' });
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
