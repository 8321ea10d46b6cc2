import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { AutoGrowTextarea } from './AutoGrowTextarea.tsx';

it('has the height of its text in a browser without field-sizing', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('CSS', { supports: () => false });
  let lines = 1;
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(() => lines * 24);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(26);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(24);
  const container = document.createElement('div');
  const root = createRoot(container);
  const render = (value: string) => act(async () => root.render(<AutoGrowTextarea readOnly value={value} />));
  await render('one');
  const field = container.querySelector('textarea');
  expect(field?.style.height).toBe('26px');
  lines = 3;
  await act(async () => field?.dispatchEvent(new Event('input', { bubbles: true })));
  expect(field?.style.height).toBe('74px');
  lines = 1;
  await render('');
  expect(field?.style.height).toBe('26px');
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
