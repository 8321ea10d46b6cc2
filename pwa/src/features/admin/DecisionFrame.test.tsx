import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import { TextField } from '@/ui';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';

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

function Form({ store }: { store: () => Promise<void> }) {
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const { send, errors, busy } = useDecision({ reason, note });
  const found: Record<string, string> = reason ? {} : { reason: 'Please give a reason.' };
  return (
    <DecisionFrame busy={busy} error={errors.form} onSend={() => send(found, store)}>
      <TextField
        error={errors.reason}
        label="Reason"
        onChange={({ target }) => setReason(target.value)}
        value={reason}
      />
      <TextField
        error={errors.note}
        label="Note"
        onChange={({ target }) => setNote(target.value)}
        value={note}
      />
    </DecisionFrame>
  );
}

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

const type = (index: number, text: string) =>
  act(async () => {
    const field = container.querySelectorAll('input')[index];
    if (!field) throw new Error(`there is no field ${index}`);
    setValue?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

const submit = () => act(async () => container.querySelector('form')?.requestSubmit());

it('the error of a field goes when the field is edited, and that of another one stays', async () => {
  const refused = new ApiError(422, 'invalid', 'The values are refused.', {
    reason: 'That is no reason.',
    note: 'That is no note.',
  });
  const store = vi.fn<() => Promise<void>>().mockRejectedValue(refused);
  await act(async () => root.render(<Form store={store} />));
  await submit();
  expect(container.textContent).toContain('Please give a reason.');
  await type(0, 'S');
  expect(container.textContent).not.toContain('Please give a reason.');

  await submit();
  expect(store).toHaveBeenCalledOnce();
  expect(container.textContent).toContain('That is no reason.');
  await type(0, 'Seen');
  expect(container.textContent).not.toContain('That is no reason.');
  expect(container.textContent).toContain('That is no note.');
  await type(1, 'N');
  expect(container.querySelector('[role=alert]')).toBeNull();
});
