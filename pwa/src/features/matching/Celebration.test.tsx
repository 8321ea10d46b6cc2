import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Celebration } from './Celebration.tsx';
import type { Moment, MomentType } from './moments.ts';

let root: Root;
let page: HTMLElement;
const done = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  done.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (type: MomentType, more: Partial<Moment> = {}) =>
  act(async () =>
    root.render(<Celebration moment={{ id: 'm', type, name: 'Maya', ...more }} onDone={done} />),
  );
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it.each([
  ['mutual_like', "It's a Match!", 'You and Maya like each other', 3000],
  ['super_like', 'Super Spark!', 'Maya super liked you', 3500],
  ['message_spark', 'Message Spark!', 'Your conversation is heating up', 2500],
  ['voice_connection', 'Voice Connection!', 'Your voices harmonized beautifully', 3000],
] as const)(
  '%s says its words for its time and then tells that it is done',
  async (type, title, text, ms) => {
    await show(type);
    const dialog = page.querySelector('dialog');
    expect(dialog?.querySelector('h2')?.textContent).toBe(title);
    expect(dialog?.textContent).toContain(text);
    await pass(ms - 1);
    expect(done).not.toHaveBeenCalled();
    await pass(1);
    expect(done).toHaveBeenCalledOnce();
  },
);

it('ends by a tap anywhere and by Escape', async () => {
  await show('mutual_like');
  const dialog = page.querySelector('dialog');
  await act(async () => dialog?.click());
  expect(done).toHaveBeenCalledTimes(1);
  await act(async () => dialog?.dispatchEvent(new Event('cancel', { cancelable: true })));
  expect(done).toHaveBeenCalledTimes(2);
});

it('shows the words of the other and what they are about', async () => {
  await show('mutual_like', { note: { comment: 'Mine too!', about: 'your answer to “Sunday”' } });
  expect(page.querySelector('blockquote')?.textContent).toBe('“Mine too!”');
  expect(page.querySelector('figcaption')?.textContent).toBe('Maya, about your answer to “Sunday”');
});
