import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { TextField } from '@/ui';
import { type Errors, type Form, useForm } from './useForm.ts';

type Values = { name: string; town: string };

const check = ({ name, town }: Values): Errors<Values> => ({
  name: name ? undefined : 'Name?',
  town: town ? undefined : 'Town?',
});
const send = vi.fn<(values: Values) => Promise<void>>();

let page: HTMLElement;
let root: Root;
let form: Form<Values>;

function Page() {
  form = useForm({ name: '', town: '' }, check);
  return (
    <form onSubmit={form.submit(send)}>
      <TextField label="Name" {...form.field('name')} />
      <TextField label="Town" {...form.field('town')} />
    </form>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  send.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  await act(async () => root.render(<Page />));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

const submit = () => act(async () => page.querySelector('form')?.requestSubmit());
const set = (values: Partial<Values>) => act(async () => form.set(values));
const input = (name: keyof Values) => page.querySelector<HTMLInputElement>(`[name=${name}]`);
/** Returns the errors with their fields, as assistive technology reads them. */
const errors = () =>
  [...page.querySelectorAll('input[aria-invalid=true]')].map(
    (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
  );

it('shows no error before the first submit, then all, with the focus on the first', async () => {
  await set({ name: 'A' });
  await set({ name: '' });
  expect(errors()).toEqual([]);
  await submit();
  expect(errors()).toEqual(['Name?', 'Town?']);
  expect(document.activeElement).toBe(input('name'));
  expect(send).not.toHaveBeenCalled();
});

it('checks with every change after the first submit, and sends the values without errors', async () => {
  await submit();
  await set({ name: 'Ada' });
  expect(errors()).toEqual(['Town?']);
  await submit();
  expect(document.activeElement).toBe(input('town'));
  await set({ town: 'Oslo' });
  await submit();
  expect(send.mock.calls).toEqual([[{ name: 'Ada', town: 'Oslo' }]]);
});

it('shows an error of the server until its field changes, and sends again', async () => {
  await set({ name: 'Ada', town: 'Oslo' });
  send.mockImplementationOnce(async () => form.reject({ town: 'No such town' }));
  await submit();
  expect(errors()).toEqual(['No such town']);
  await set({ name: 'Adam' });
  expect(errors()).toEqual(['No such town']);
  await set({ town: 'Bergen' });
  expect(errors()).toEqual([]);
  await submit();
  expect(send).toHaveBeenCalledTimes(2);
});

it('is busy and sends once while a submit is in progress', async () => {
  await set({ name: 'Ada', town: 'Oslo' });
  const stored = Promise.withResolvers<void>();
  send.mockReturnValueOnce(stored.promise);
  await submit();
  await submit();
  expect(form.busy).toBe(true);
  expect(send).toHaveBeenCalledOnce();
  await act(async () => stored.resolve());
  expect(form.busy).toBe(false);
});
