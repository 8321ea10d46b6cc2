import { beforeEach, describe, expect, it, vi } from 'vitest';
import { followNotifications, holdUpdate, registerServiceWorker } from './serviceWorker.ts';

class Container extends EventTarget {
  controller: object | null = {};
  register = async () =>
    Object.assign(new EventTarget(), { waiting: null, installing: null, update: async () => undefined });
}

let container: Container;

beforeEach(() => {
  vi.useFakeTimers();
  container = new Container();
  vi.stubGlobal('navigator', { serviceWorker: container, onLine: true });
  vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const takeOver = (controller: object | null = {}) => {
  container.controller = controller;
  container.dispatchEvent(new Event('controllerchange'));
};

describe('another version takes over', () => {
  it('reloads every tab, though not one in which somebody writes', async () => {
    await registerServiceWorker();
    const done = holdUpdate();
    takeOver();
    vi.advanceTimersByTime(60_000);
    expect(location.reload).not.toHaveBeenCalled();
    done();
    vi.advanceTimersByTime(2000);
    expect(location.reload).toHaveBeenCalledTimes(1);
  });

  it('reloads neither for the first worker nor when signing out takes it away', async () => {
    container.controller = null;
    await registerServiceWorker();
    takeOver();
    takeOver(null);
    vi.advanceTimersByTime(60_000);
    expect(location.reload).not.toHaveBeenCalled();
  });
});

it('goes where a notification leads', () => {
  const navigate = vi.fn();
  followNotifications(navigate);
  const say = (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data }));
  say({ type: 'NAVIGATE', path: '/messages/7' });
  say({ type: 'hw-outbox' });
  expect(navigate.mock.calls).toEqual([['/messages/7']]);
});
