import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BulkDecision } from './BulkDecision.tsx';
import { setKeysOn } from './queueKeys.ts';

let container: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});

afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const choices = [
  { value: 'accept', label: 'Accept', key: 'a', done: 'Accepted', description: 'Shown.', hint: '' },
  { value: 'decline', label: 'Decline', key: 'd', done: 'Declined', description: 'Hidden.', hint: '' },
];

type Decide = Parameters<typeof BulkDecision>[0]['decide'];

async function show(ids: string[], decide: Decide = () => Promise.resolve([])) {
  const onClear = vi.fn();
  await act(async () =>
    root.render(
      <BulkDecision
        choices={choices}
        decide={decide}
        ids={ids}
        nameOf={(id) => id}
        noun={{ one: 'profile', many: 'profiles' }}
        onClear={onClear}
        onSent={() => undefined}
      />,
    ),
  );
  return onClear;
}

const press = (key: string) =>
  act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));

it('the letter of a button asks about the selected rows, and c clears the selection', async () => {
  const onClear = await show(['one', 'two']);
  await press('c');
  expect(onClear).toHaveBeenCalledOnce();
  expect(document.body.textContent).not.toContain('Hidden.');
  await press('d');
  expect(document.body.textContent).toContain('Decline 2 profiles?');
});

it('no letter asks without a selection, or while single keys are off', async () => {
  await show([]);
  await press('d');
  expect(document.body.textContent).not.toContain('Hidden.');
  setKeysOn(false);
  await show(['one']);
  await press('d');
  expect(document.body.textContent).not.toContain('Hidden.');
});

it('decides on one selection after another', async () => {
  const decide = vi.fn(() => Promise.resolve([]));
  await show(['one'], decide);
  for (const key of ['a', 'd']) {
    await press(key);
    const field = document.querySelector<HTMLInputElement>('dialog input');
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Fine');
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await act(async () => field?.form?.requestSubmit());
    expect(document.querySelector('dialog')).toBeNull();
  }
  expect(decide.mock.calls).toEqual([
    [['one'], 'accept', 'Fine'],
    [['one'], 'decline', 'Fine'],
  ]);
});
