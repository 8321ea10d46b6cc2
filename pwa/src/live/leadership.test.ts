import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startLeaderElection } from './leadership.ts';

/** Web Locks of one name: in the order of the requests, unless one steals the lock. */
class FakeLocks {
  private holder: { end: (error: Error) => void } | null = null;
  private readonly queue: (() => void)[] = [];

  request = (_name: string, options: LockOptions, work: () => Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const holder = { end: reject };
        this.holder = holder;
        void work().then((result) => {
          resolve(result);
          if (this.holder !== holder) return;
          this.holder = null;
          this.queue.shift()?.();
        });
      };
      options.signal?.addEventListener('abort', () => {
        const index = this.queue.indexOf(run);
        if (index >= 0) this.queue.splice(index, 1);
        reject(new Error('aborted'));
      });
      if (options.steal) {
        this.holder?.end(new Error('stolen'));
        run();
      } else if (this.holder) this.queue.push(run);
      else run();
    });
}

let visibility: DocumentVisibilityState;
const show = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
  return () => vi.unstubAllGlobals();
});

/** Opens a tab of the member; `role` is its current role, `starts` the number of roles started. */
function openTab() {
  const tab = { role: null as string | null, starts: 0 };
  const close = startLeaderElection('ME', (role) => {
    tab.role = role;
    tab.starts += 1;
    return () => {
      tab.role = null;
    };
  });
  return Object.assign(tab, { close });
}
const roles = (...tabs: { role: string | null }[]) => tabs.map(({ role }) => role);

describe('of several tabs', () => {
  it('the one shown last is the leader', async () => {
    const first = openTab();
    expect(roles(first)).toEqual(['leader']);
    const second = openTab();
    await vi.waitFor(() => expect(roles(first, second)).toEqual(['follower', 'leader']));
    first.close();
    second.close();
    expect(roles(first, second)).toEqual([null, null]);
  });

  it('one opened in the background is a follower', async () => {
    const first = openTab();
    visibility = 'hidden';
    const second = openTab();
    await vi.waitFor(() => expect(roles(first, second)).toEqual(['leader', 'follower']));
    first.close();
    await vi.waitFor(() => expect(roles(first, second)).toEqual([null, 'leader']));
    second.close();
  });

  it('another becomes the leader when the leader closes', async () => {
    const first = openTab();
    const second = openTab();
    const third = openTab();
    await vi.waitFor(() => expect(roles(first, second, third)).toEqual(['follower', 'follower', 'leader']));
    third.close();
    await vi.waitFor(() => expect(roles(first, second)).toEqual(['leader', 'follower']));
    first.close();
    await vi.waitFor(() => expect(roles(first, second)).toEqual([null, 'leader']));
    second.close();
  });

  it('one in the back/forward cache has no role', async () => {
    visibility = 'hidden';
    const tab = openTab();
    await vi.waitFor(() => expect(roles(tab)).toEqual(['leader']));
    const pageEvent = (type: string) => dispatchEvent(Object.assign(new Event(type), { persisted: true }));
    pageEvent('pagehide');
    expect(roles(tab)).toEqual([null]);
    pageEvent('pageshow');
    await vi.waitFor(() => expect(roles(tab)).toEqual(['leader']));
    tab.close();
  });
});

it('a tab is the leader where Web Locks are missing', () => {
  vi.stubGlobal('navigator', {});
  const tab = openTab();
  expect(roles(tab)).toEqual(['leader']);
  tab.close();
});

it('the leader keeps its role when it is shown again', async () => {
  const tab = openTab();
  await vi.waitFor(() => expect(roles(tab)).toEqual(['leader']));
  const starts = tab.starts;
  show('hidden');
  show('visible');
  expect([tab.role, tab.starts]).toEqual(['leader', starts]);
  tab.close();
});
