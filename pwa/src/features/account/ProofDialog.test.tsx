import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Factors, Me } from '@/api/types.ts';
import { prove } from './accountRequests.ts';
import ProofDialog from './ProofDialog.tsx';

vi.mock('./accountRequests.ts', () => ({ prove: vi.fn(() => Promise.resolve()) }));

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
  vi.unstubAllGlobals();
});

async function show(recoveryCodes: number, onProved = () => undefined) {
  const factors = { passkeys: [], hasApp: true, recoveryCodes } as unknown as Factors;
  const me = { email: 'ada@heartward.test', hasPassword: false } as Me;
  await act(async () =>
    root.render(<ProofDialog factors={factors} me={me} onClose={() => undefined} onProved={onProved} />),
  );
}

const buttonOf = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);

it('a recovery code proves who has lost the phone, with its letters', async () => {
  const onProved = vi.fn();
  await show(3, onProved);
  await act(async () => buttonOf('Use a recovery code')?.click());
  const field = document.querySelector<HTMLInputElement>('input:not([readonly])');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field, 'ABCDE-23456');
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => buttonOf('Confirm')?.click());
  expect(vi.mocked(prove).mock.calls).toEqual([[{ recoveryCode: 'ABCDE-23456' }]]);
  expect(onProved).toHaveBeenCalledOnce();
});

it('who has no recovery codes is not asked for one', async () => {
  await show(0);
  expect(buttonOf('Confirm')).toBeDefined();
  expect(buttonOf('Use a recovery code')).toBeUndefined();
});
