import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  applyUpdate,
  flushBeforeReload,
  followNotifications,
  holdUpdate,
  onUpdateReady,
  registerServiceWorker,
} from './serviceWorker.ts';

class Worker extends EventTarget {
  state = 'installing';
  postMessage = vi.fn();
}

class Container extends EventTarget {
  controller: object | null = {};
  registration = Object.assign(new EventTarget(), {
    waiting: null as Worker | null,
    installing: null as Worker | null,
    active: {} as object | null,
    update: async () => undefined,
  });
  register = async () => this.registration;
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
  it('reloads every tab, though not one in which something is recorded or uploaded', async () => {
    await registerServiceWorker();
    const done = holdUpdate();
    takeOver();
    vi.advanceTimersByTime(60_000);
    expect(location.reload).not.toHaveBeenCalled();
    done();
    await vi.advanceTimersByTimeAsync(0);
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

describe('an update is offered', () => {
  it('that was installing already when this page registered, and sent on once the drafts are stored', async () => {
    const ready = vi.fn();
    onUpdateReady(ready);
    const worker = new Worker();
    container.registration.installing = worker;
    await registerServiceWorker();
    expect(ready).not.toHaveBeenCalled();
    Object.assign(worker, { state: 'installed' });
    Object.assign(container.registration, { installing: null, waiting: worker });
    worker.dispatchEvent(new Event('statechange'));
    expect(ready).toHaveBeenCalledTimes(1);

    let stored: () => void = () => undefined;
    const stop = flushBeforeReload(() => new Promise<void>((resolve) => (stored = resolve)));
    const applied = applyUpdate();
    expect(worker.postMessage).not.toHaveBeenCalled();
    stored();
    await applied;
    expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'SKIP_WAITING' });
    stop();
  });

  it('never for the first worker of a registration, also while the page has the one from before a sign-out', async () => {
    const ready = vi.fn();
    const stop = onUpdateReady(ready);
    const before = ready.mock.calls.length;
    const worker = new Worker();
    Object.assign(container.registration, { active: null, installing: worker });
    await registerServiceWorker();
    Object.assign(worker, { state: 'installed' });
    Object.assign(container.registration, { installing: null, waiting: worker });
    worker.dispatchEvent(new Event('statechange'));
    expect(container.controller).not.toBeNull();
    expect(ready).toHaveBeenCalledTimes(before);
    stop();
  });

  it('although a draft cannot be stored', async () => {
    const worker = new Worker();
    container.registration.waiting = worker;
    await registerServiceWorker();
    const stop = flushBeforeReload(() => new Promise(() => undefined));
    const applied = applyUpdate();
    await vi.advanceTimersByTimeAsync(1000);
    await applied;
    expect(worker.postMessage).toHaveBeenCalledOnce();
    stop();
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
