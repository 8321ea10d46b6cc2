import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  applyUpdate,
  blockReload,
  flushBeforeReload,
  onUpdateReady,
  openTappedNotifications,
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

const changeController = (controller: object | null = {}) => {
  container.controller = controller;
  container.dispatchEvent(new Event('controllerchange'));
};

describe('after a change of the worker', () => {
  it('a tab reloads, but not before its recording or upload has ended', async () => {
    await registerServiceWorker();
    const unblock = blockReload();
    changeController();
    vi.advanceTimersByTime(60_000);
    expect(location.reload).not.toHaveBeenCalled();
    unblock();
    await vi.advanceTimersByTimeAsync(0);
    expect(location.reload).toHaveBeenCalledTimes(1);
  });

  it('a tab does not reload for the first worker, nor when signing out removes it', async () => {
    container.controller = null;
    await registerServiceWorker();
    changeController();
    changeController(null);
    vi.advanceTimersByTime(60_000);
    expect(location.reload).not.toHaveBeenCalled();
  });
});

describe('an update', () => {
  it('that was installing when the page registered is offered, and activated once the drafts are stored', async () => {
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

    let resolveFlush: () => void = () => undefined;
    const stop = flushBeforeReload(() => new Promise<void>((resolve) => (resolveFlush = resolve)));
    const activation = applyUpdate();
    expect(worker.postMessage).not.toHaveBeenCalled();
    resolveFlush();
    await activation;
    expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'SKIP_WAITING' });
    stop();
  });

  it('is not offered for the first worker of a registration, even if the page has a worker from before a sign-out', async () => {
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

  it('is activated although a draft cannot be stored', async () => {
    const worker = new Worker();
    container.registration.waiting = worker;
    await registerServiceWorker();
    const stop = flushBeforeReload(() => new Promise(() => undefined));
    const activation = applyUpdate();
    await vi.advanceTimersByTimeAsync(1000);
    await activation;
    expect(worker.postMessage).toHaveBeenCalledOnce();
    stop();
  });
});

it('opens the path of a tapped notification', () => {
  const navigate = vi.fn();
  openTappedNotifications(navigate);
  const emit = (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data }));
  emit({ type: 'NAVIGATE', path: '/messages/7' });
  emit({ type: 'hw-outbox' });
  expect(navigate.mock.calls).toEqual([['/messages/7']]);
});
