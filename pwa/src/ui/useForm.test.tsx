import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { MemberError } from '@/api/errors.ts';
import { TextField } from './Field.tsx';
import { type Errors, type Form, useForm } from './useForm.ts';

type Values = { name: string; town: string };

const empty: Values = { name: '', town: '' };
const check = ({ name, town }: Values): Errors<Values> => ({
  name: name ? undefined : 'Name?',
  town: town ? undefined : 'Town?',
});
const send = vi.fn<(values: Values) => Promise<void>>();
const onChange = vi.fn<(values: Values) => void>();
const onInvalid = vi.fn<(errors: Errors<Values>) => void>();

let page: HTMLElement;
let root: Root;
let form: Form<Values>;

function Page({ staysBusy = false, hasTown = true }) {
  form = useForm(empty, { check, inline: true, guardsLeave: true, staysBusy, onChange, onInvalid });
  return (
    <form onSubmit={form.submit(send)}>
      <TextField label="Name" {...form.field('name')} />
      {hasTown && <TextField label="Town" {...form.field('town')} />}
    </form>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  for (const mock of [send, onChange, onInvalid]) mock.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  await act(async () => root.render(<Page />));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

/** The error of a request that the server has rejected. */
class Rejected extends MemberError {
  constructor(override readonly fieldErrors: Record<string, string>) {
    super('Please check your input.');
  }
}

const submit = () => act(async () => page.querySelector('form')?.requestSubmit());
const set = (values: Partial<Values>) => act(async () => form.set(values));
const input = (name: keyof Values) => page.querySelector<HTMLInputElement>(`[name=${name}]`);
/** Returns the errors with their fields, as assistive technology reads them. */
const errors = () =>
  [...page.querySelectorAll('input[aria-invalid=true]')].map(
    (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
  );
/** Returns whether the browser asks before the page is left. */
const asksBeforeLeaving = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

it('shows no error before the first submit, then all, with the focus on the first', async () => {
  await set({ name: 'A' });
  await set({ name: '' });
  expect(errors()).toEqual([]);
  await submit();
  expect(errors()).toEqual(['Name?', 'Town?']);
  expect(document.activeElement).toBe(input('name'));
  expect(send).not.toHaveBeenCalled();
});

it('reports a submit that is not sent, with the errors', async () => {
  await set({ name: 'Ada' });
  await submit();
  expect(onInvalid.mock.calls).toEqual([[{ town: 'Town?' }]]);
  await set({ town: 'Oslo' });
  await submit();
  expect(onInvalid).toHaveBeenCalledOnce();
});

it('keeps what was written while an upload ran, whose end changes a value by an earlier render', async () => {
  const { set: setAtStart } = form;
  await set({ name: 'Ada' });
  await act(async () => setAtStart({ town: 'Oslo' }));
  expect(form.values).toEqual({ name: 'Ada', town: 'Oslo' });
  expect(onChange).toHaveBeenLastCalledWith({ name: 'Ada', town: 'Oslo' });
});

it('sends nothing while a value without a field has an error', async () => {
  await act(async () => root.render(<Page hasTown={false} />));
  await set({ name: 'Ada' });
  await submit();
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
  send.mockRejectedValueOnce(new Rejected({ town: 'No such town' }));
  await submit();
  expect(errors()).toEqual(['No such town']);
  expect(form.error).toBe('');
  await set({ name: 'Adam' });
  expect(errors()).toEqual(['No such town']);
  await set({ town: 'Bergen' });
  expect(errors()).toEqual([]);
  await submit();
  expect(send).toHaveBeenCalledTimes(2);
});

it('focuses the first field that the server has rejected, when the form can be used again', async () => {
  await set({ name: 'Ada', town: 'Oslo' });
  const stored = Promise.withResolvers<void>();
  send.mockReturnValueOnce(stored.promise);
  input('name')?.focus();
  await submit();
  expect(document.activeElement).toBe(input('name'));
  await act(async () => stored.reject(new Rejected({ town: 'No such town' })));
  expect([form.isBusy, document.activeElement]).toEqual([false, input('town')]);
  await set({ town: 'Bergen' });
  input('name')?.focus();
  send.mockRejectedValueOnce(new Rejected({ other: 'Unknown field' }));
  await submit();
  await set({ town: '' });
  expect(document.activeElement, 'after a failure of no field, and a check').toBe(input('name'));
});

it('can be sent again after a rejection, also if a success leaves the page', async () => {
  await act(async () => root.render(<Page key="leaving" staysBusy />));
  await set({ name: 'Ada', town: 'Oslo' });
  send.mockRejectedValueOnce(new Rejected({ town: 'No such town' }));
  await submit();
  expect(form.isBusy).toBe(false);
  await submit();
  expect(form.isBusy).toBe(true);
});

it('shows a rejection of another step before the first submit', async () => {
  await act(async () => {
    expect(form.reject({ town: 'No such town' })).toBe(true);
  });
  expect(errors()).toEqual(['No such town']);
});

it('focuses the first field that is rejected outside a submit, each time', async () => {
  for (const attempt of ['first', 'second']) {
    input('name')?.focus();
    await act(async () => form.reject({ town: 'No such town' }));
    expect(document.activeElement, attempt).toBe(input('town'));
  }
});

it('focuses a rejected field of another step when that is shown', async () => {
  await act(async () => root.render(<Page hasTown={false} />));
  await set({ name: 'Ada' });
  await act(async () => {
    form.reject({ town: 'No such town' });
    root.render(<Page />);
  });
  expect(document.activeElement).toBe(input('town'));
});

it('reports a failure that belongs to no field, until the next submit or a change', async () => {
  await set({ name: 'Ada', town: 'Oslo' });
  send.mockRejectedValueOnce(new Rejected({ other: 'Unknown field' }));
  await submit();
  expect(errors()).toEqual([]);
  expect(form.error).toBe('Please check your input.');
  await submit();
  expect(form.error).toBe('');
  send.mockRejectedValueOnce(new Rejected({ other: 'Unknown field' }));
  await submit();
  await set({ name: 'Eve' });
  expect(form.error).toBe('');
});

it('is busy and sends once while a submit is in progress', async () => {
  await set({ name: 'Ada', town: 'Oslo' });
  const stored = Promise.withResolvers<void>();
  send.mockReturnValueOnce(stored.promise);
  await submit();
  await submit();
  expect(form.isBusy).toBe(true);
  expect(send).toHaveBeenCalledOnce();
  await act(async () => stored.resolve());
  expect(form.isBusy).toBe(false);
});

it('is dirty while a value differs from the saved one, and the browser asks before it is lost', async () => {
  expect(form.isDirty).toBe(false);
  expect(asksBeforeLeaving()).toBe(false);
  await set({ name: 'Ada' });
  expect(form.isDirty).toBe(true);
  expect(asksBeforeLeaving()).toBe(true);
  await set({ name: '' });
  expect(form.isDirty).toBe(false);
  expect(asksBeforeLeaving()).toBe(false);
});

it('has no changes and no errors after a reset', async () => {
  await submit();
  await act(async () => form.reset({ name: 'Ada', town: '' }));
  expect(form.values).toEqual({ name: 'Ada', town: '' });
  expect(form.isDirty).toBe(false);
  expect(errors()).toEqual([]);
  expect(asksBeforeLeaving()).toBe(false);
  await set({ name: '' });
  expect(form.isDirty).toBe(true);
});

it('does not ask once the form is gone, or the page is blank after a sign-out', async () => {
  await set({ name: 'Ada' });
  const content = [...document.body.childNodes];
  document.body.replaceChildren();
  expect(asksBeforeLeaving()).toBe(false);
  document.body.replaceChildren(...content);
  expect(asksBeforeLeaving()).toBe(true);
  await act(async () => root.render(null));
  expect(asksBeforeLeaving()).toBe(false);
});
