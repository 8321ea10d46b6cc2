import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { MemberError } from '@/api/errors.ts';
import { dismissToast, Toaster } from './Toaster.tsx';
import { type ActionOptions, useAction } from './useAction.ts';

const send = vi.fn<(text: string) => Promise<void>>();

let page: HTMLElement;
let root: Root;
let run: (text: string) => Promise<boolean>;
let state: { isBusy: boolean; running: string[] | null; error: string; setError: (error: string) => void };

function Sender({ action = send, ...options }: ActionOptions & { action?: typeof send }) {
  [run, state] = useAction(action, options);
  return null;
}

const render = (options: Parameters<typeof Sender>[0] | null) =>
  act(async () =>
    root.render(
      <>
        {options && <Sender {...options} />}
        <Toaster />
      </>,
    ),
  );

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  send.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => dismissToast());
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

const alert = () => page.querySelector('[role=alert]')?.textContent ?? '';

it('runs once when it is pressed twice, also before the next render', async () => {
  const sent = Promise.withResolvers<void>();
  send.mockReturnValue(sent.promise);
  await render({});
  const results: Promise<boolean>[] = [];
  await act(async () => {
    results.push(run('first'), run('second'));
  });
  expect(state).toMatchObject({ isBusy: true, running: ['first'] });
  await act(async () => {
    results.push(run('third'));
  });
  expect(send.mock.calls).toEqual([['first']]);
  await act(async () => sent.resolve());
  expect(state).toMatchObject({ isBusy: false, running: null });
  expect(await Promise.all(results)).toEqual([true, false, false]);
});

it('shows a failure as a toast, with the text for members', async () => {
  await render({ errorTitle: 'Not sent' });
  send.mockRejectedValueOnce(new MemberError('The text is too long.'));
  await act(async () => {
    expect(await run('a')).toBe(false);
  });
  expect(alert()).toContain('Not sent');
  expect(alert()).toContain('The text is too long.');
  expect(state).toMatchObject({ isBusy: false, error: 'The text is too long.' });
  send.mockRejectedValueOnce(new Error('undefined is not a function'));
  await act(async () => void (await run('b')));
  expect(alert()).toContain('Please try again.');
});

it('returns an inline failure until the next attempt, which may succeed', async () => {
  await render({ inline: true, errorText: () => 'Your text could not be sent.' });
  send.mockRejectedValueOnce(new Error());
  await act(async () => void (await run('a')));
  expect(state).toMatchObject({ isBusy: false, error: 'Your text could not be sent.' });
  expect(alert()).toBe('');
  await act(async () => {
    expect(await run('b')).toBe(true);
  });
  expect(state).toMatchObject({ isBusy: false, error: '' });
});

it('shows an error that was found before, until the action runs', async () => {
  await render({ inline: true });
  await act(async () => state.setError('Please write something.'));
  expect(state).toMatchObject({ isBusy: false, error: 'Please write something.' });
  await act(async () => void (await run('a')));
  expect(state.error).toBe('');
});

it('shows nothing of a failure without a text', async () => {
  await render({ errorText: () => '' });
  send.mockRejectedValueOnce(new Error());
  await act(async () => {
    expect(await run('a')).toBe(false);
  });
  expect(alert()).toBe('');
  expect(state).toMatchObject({ isBusy: false, error: '' });
});

it('handles an action that throws before its first wait', async () => {
  await render({ inline: true });
  send.mockImplementationOnce(() => {
    throw new MemberError('Please write something.');
  });
  await act(async () => void (await run('')));
  expect(state).toMatchObject({ isBusy: false, error: 'Please write something.' });
});

it('runs the action of the last render', async () => {
  await render({});
  const next = vi.fn(async () => undefined);
  await render({ action: next });
  await act(async () => void (await run('a')));
  expect(next).toHaveBeenCalledWith('a');
  expect(send).not.toHaveBeenCalled();
});

it('stays busy after a success, but not after a failure, if the component is about to go', async () => {
  await render({ staysBusy: true });
  send.mockRejectedValueOnce(new Error());
  await act(async () => void (await run('a')));
  expect(state.isBusy).toBe(false);
  await act(async () => void (await run('b')));
  expect(state.isBusy).toBe(true);
  await act(async () => {
    expect(await run('c')).toBe(false);
  });
  expect(send).toHaveBeenCalledTimes(2);
});

it('reports a failure after it was unmounted, without a warning of React', async () => {
  const warn = vi.spyOn(console, 'error');
  const sent = Promise.withResolvers<void>();
  send.mockReturnValue(sent.promise);
  await render({});
  await act(async () => void run('a'));
  await render(null);
  await act(async () => sent.reject(new MemberError('The text is too long.')));
  expect(alert()).toContain('The text is too long.');
  expect(warn).not.toHaveBeenCalled();
});
