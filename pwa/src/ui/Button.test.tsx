import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Button } from './Button.tsx';

const click = vi.fn();
const submit = vi.fn();
let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  click.mockReset();
  submit.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

const render = (busy: boolean) =>
  act(async () =>
    root.render(
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Button busy={busy} onClick={click} type="submit">
          Save
        </Button>
      </form>,
    ),
  );

it('does nothing while it is busy, and keeps the focus', async () => {
  await render(false);
  const button = page.querySelector('button') as HTMLButtonElement;
  button.focus();
  button.click();
  expect([click.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  await render(true);
  button.click();
  expect([click.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled'), button.disabled]).toEqual([
    'true',
    'true',
    false,
  ]);
  expect(document.activeElement).toBe(button);
  await render(false);
  button.click();
  expect(submit).toHaveBeenCalledTimes(2);
});
