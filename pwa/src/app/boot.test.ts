import { beforeEach, describe, expect, it, vi } from 'vitest';
import boot from '../../public/boot.js?raw';
import siteTheme from '../../public/theme.js?raw';
import { fetchUsingEarlyResponse } from '../api/early.ts';
import { request } from '../api/request.ts';

const unregister = vi.fn(async () => true);
let names: string[];

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  localStorage.setItem('hw.member', 'me');
  names = ['workbox-precache-v2-http://x/', 'hw-files-me-thumb.webp'];
  document.body.innerHTML = '<div id="root"><div id="boot"></div></div>';
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ unregister }) } });
  vi.stubGlobal('caches', {
    keys: async () => [...names],
    delete: async (name: string) => names.splice(names.indexOf(name), 1),
  });
  vi.stubGlobal('fetch', async () => new Response('ok'));
  vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

async function start(): Promise<void> {
  new Function(boot)();
  dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(10_000);
}

it('reloads a page that stays blank without the cached shell, once, and keeps the member’s data', async () => {
  await start();
  expect(location.reload).toHaveBeenCalledTimes(1);
  expect(names).toEqual(['hw-files-me-thumb.webp']);
  expect(localStorage.getItem('hw.member')).toBe('me');
  await start();
  expect(location.reload).toHaveBeenCalledTimes(1);
});

it('changes nothing while the server does not respond', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  await start();
  expect(location.reload).not.toHaveBeenCalled();
  expect(names).toHaveLength(2);
});

it('changes nothing once the app has rendered', async () => {
  document.body.innerHTML = '<div id="root"><main></main></div>';
  await start();
  expect(location.reload).not.toHaveBeenCalled();
});

describe('the requests of the first screen', () => {
  const deck = '/api/matches/for-you?limit=12';
  const session = '/api/auth/session';
  let requestAddresses: string[];

  /** Starts at / with these responses, and returns when they have arrived. */
  async function startWith(responses: Record<string, unknown>): Promise<void> {
    requestAddresses = [];
    vi.stubGlobal('fetch', async (input: Request | string) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.origin);
      requestAddresses.push(pathname + search);
      return Response.json(responses[pathname + search] ?? []);
    });
    vi.stubGlobal('Image', class {});
    new Function(boot)();
    await vi.advanceTimersByTimeAsync(100);
  }
  const get = async (address: string) =>
    (await fetchUsingEarlyResponse(new Request(new URL(address, location.origin)))).json();

  it('are sent once: the app gets the responses', async () => {
    await startWith({ [session]: { member: { id: 'me', photos: [] } }, [deck]: [{ id: 'a', photos: [] }] });
    expect(requestAddresses.toSorted()).toEqual([session, deck]);
    expect(await get(session)).toEqual({ member: { id: 'me', photos: [] } });
    expect(await get(deck)).toEqual([{ id: 'a', photos: [] }]);
    expect(requestAddresses).toHaveLength(2);
    await get(deck);
    expect(requestAddresses, 'a refresh is a request of its own').toHaveLength(3);
  });

  it('follow the session on a device without data, and not for a visitor', async () => {
    localStorage.removeItem('hw.member');
    await startWith({ [session]: { member: null } });
    expect(requestAddresses).toEqual([session]);
    await startWith({ [session]: { member: { id: 'me', photos: [] } } });
    expect(requestAddresses).toEqual([session, deck]);
  });

  it('fetch the conversations on a new device only', async () => {
    history.replaceState(null, '', '/messages');
    const signedIn = { [session]: { member: { id: 'me', photos: [] } } };
    await startWith(signedIn);
    expect(requestAddresses, 'the app asks for the changes since its last sync').toEqual([session]);
    localStorage.removeItem('hw.member');
    await startWith({ ...signedIn, '/api/sync': { conversations: [] } });
    expect(requestAddresses).toEqual([session, '/api/sync']);
    history.replaceState(null, '', '/');
  });

  describe('whose responses are in the page', () => {
    const me = { id: 'me', photos: [] };
    const responseOf = (address: string, body: unknown, headers = {}) => ({ address, headers, body });
    const addToPage = (...responses: object[]) => {
      const script = document.createElement('script');
      script.type = 'application/json';
      script.id = 'hw-responses';
      script.textContent = JSON.stringify(responses);
      document.body.append(script);
    };

    it('are not sent', async () => {
      addToPage(
        responseOf(session, { member: me }),
        responseOf(deck, [{ id: 'a' }], { Link: '<x>; rel=next' }),
      );
      await startWith({});
      const response = await fetchUsingEarlyResponse(new Request(new URL(deck, location.origin)));
      expect(response.headers.get('Link')).toBe('<x>; rel=next');
      expect(await response.json()).toEqual([{ id: 'a' }]);
      expect(await get(session)).toEqual({ member: me });
      expect(requestAddresses).toEqual([]);
    });

    it('are sent if the page has only the session, and none for a visitor', async () => {
      addToPage(responseOf(session, { member: me }));
      await startWith({});
      expect(requestAddresses).toEqual([deck]);
      document.getElementById('hw-responses')?.remove();
      addToPage(responseOf(session, { member: null }));
      await startWith({});
      expect(requestAddresses).toEqual([]);
    });

    it('are not used during a pending sign-out, nor for another member', async () => {
      addToPage(responseOf(session, { member: me }), responseOf(deck, []));
      localStorage.setItem('hw.leaving', '1');
      await startWith({});
      localStorage.removeItem('hw.leaving');
      await get(session);
      expect(requestAddresses).toEqual([session]);
      localStorage.setItem('hw.member', 'another');
      await startWith({});
      await get(deck);
      expect(requestAddresses).toEqual([deck]);
    });
  });

  it('are not sent before a pending sign-out', async () => {
    localStorage.setItem('hw.leaving', '1');
    await startWith({});
    localStorage.removeItem('hw.leaving');
    expect(requestAddresses).toEqual([]);
  });

  it('are repeated for another member, and after ten seconds', async () => {
    await startWith({});
    localStorage.setItem('hw.member', 'another');
    await get(deck);
    expect(requestAddresses.filter((address) => address === deck)).toHaveLength(2);
    await startWith({});
    await vi.advanceTimersByTimeAsync(10_000);
    await get(deck);
    expect(requestAddresses.filter((address) => address === deck)).toHaveLength(2);
  });

  it('end after 15 seconds if the body does not arrive', async () => {
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit = {}) => {
      const start = (body: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => body.error(signal.reason));
      return new Response(new ReadableStream({ start }));
    });
    new Function(boot)();
    const response = request(deck, { method: 'GET', fetch: fetchUsingEarlyResponse });
    const ended = expect(response).rejects.toMatchObject({ kind: 'network' });
    await vi.advanceTimersByTimeAsync(15_000);
    await ended;
  });

  it('are not sent after the app has sent them itself', async () => {
    localStorage.removeItem('hw.member');
    await startWith({});
    requestAddresses = [];
    const responses = new Map<string, (response: Response) => void>();
    vi.stubGlobal('fetch', (input: Request | string) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.origin);
      requestAddresses.push(pathname + search);
      return new Promise<Response>((resolve) => void responses.set(pathname + search, resolve));
    });
    new Function(boot)();
    void fetchUsingEarlyResponse(new Request(new URL(deck, location.origin)));
    responses.get(session)?.(Response.json({ member: { id: 'me', photos: [] } }));
    await vi.advanceTimersByTimeAsync(100);
    expect(requestAddresses).toEqual([session, deck]);
  });
});

it('the public pages select the theme as the app does', () => {
  const code = siteTheme.slice(siteTheme.indexOf('(() =>')).trim();
  expect(code).toContain('hw.theme');
  expect(boot).toContain(code);
});

describe('blocked storage', () => {
  const real = { localStorage, sessionStorage };
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const block = (name: 'localStorage' | 'sessionStorage', get: () => Storage | null) =>
    Object.defineProperty(globalThis, name, { get, configurable: true });

  beforeEach(() => () => {
    for (const [name, value] of Object.entries(real))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });

  it.each([
    ['throws', refuse],
    ['is missing', () => null],
  ])('is replaced by the memory of the page where it %s', (_, get) => {
    block('localStorage', get);
    block('sessionStorage', get);
    new Function(boot)();
    expect(localStorage).not.toBe(real.localStorage);
    expect(localStorage.getItem('hw.keeps-nothing'), 'the member’s data is in memory too').toBe('1');
    localStorage.setItem('hw.theme', 'taco');
    expect([localStorage.getItem('hw.theme'), localStorage.length, localStorage.key(1)]).toEqual([
      'taco',
      2,
      'hw.theme',
    ]);
    localStorage.removeItem('hw.theme');
    expect(localStorage.getItem('hw.theme')).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it('is not replaced where it works', () => {
    new Function(boot)();
    expect(localStorage).toBe(real.localStorage);
    expect(localStorage.getItem('hw.keeps-nothing')).toBeNull();
  });

  it.each([
    ['are removed where reading a storage throws', refuse, false],
    ['stay where there is no storage', () => null, true],
  ])('caches, locks and the worker, which throw too, %s', (_, get, stay) => {
    for (const name of ['locks', 'serviceWorker'])
      Object.defineProperty(Navigator.prototype, name, { get: () => ({}), configurable: true });
    block('localStorage', get);
    new Function(boot)();
    expect('caches' in globalThis).toBe(stay);
    expect('locks' in Navigator.prototype).toBe(stay);
    expect('serviceWorker' in Navigator.prototype).toBe(stay);
    for (const name of ['locks', 'serviceWorker']) Reflect.deleteProperty(Navigator.prototype, name);
  });

  it('channels that throw are replaced by ones without other tabs', () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          refuse();
        }
      },
    );
    new Function(boot)();
    const channel = new BroadcastChannel('any');
    channel.addEventListener('message', () => undefined);
    channel.postMessage('to nobody');
    channel.close();
    expect(channel).toBeInstanceOf(EventTarget);
  });

  it('channels that work are not replaced', () => {
    const before = BroadcastChannel;
    new Function(boot)();
    expect(BroadcastChannel).toBe(before);
  });
});
