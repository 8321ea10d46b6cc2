import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Landing } from './Landing.tsx';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sessionStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

async function show(reload: () => void): Promise<HTMLElement> {
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<Landing reload={reload} />));
  return host;
}

it('reloads the page once, and says that the server cannot be reached when the app is shown again', async () => {
  const reload = vi.fn();
  expect((await show(reload)).textContent).toContain('Loading your love journey...');
  expect(reload).toHaveBeenCalledOnce();
  const again = await show(reload);
  expect(again.textContent).toContain('We could not reach Heartward');
  expect(reload, 'no loop').toHaveBeenCalledOnce();
  await act(async () => again.querySelector('button')?.click());
  expect(reload).toHaveBeenCalledTimes(2);
});
