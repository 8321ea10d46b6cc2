// Replaces storages that the browser blocks by ones in the memory of the page: without them the app would not start. The
// member's data is then in memory too (base/storage.ts), because the browser was told to store nothing. Where reading
// a storage throws, so do the caches, the locks and the worker, synchronously or later: they are removed, as the app can
// do without them.
(() => {
  class MemoryStorage {
    #values = new Map();
    get length() {
      return this.#values.size;
    }
    key = (index) => [...this.#values.keys()][index] ?? null;
    getItem = (key) => this.#values.get(String(key)) ?? null;
    setItem = (key, value) => void this.#values.set(String(key), String(value));
    removeItem = (key) => void this.#values.delete(String(key));
    clear = () => this.#values.clear();
  }

  const removeStores = () => {
    delete globalThis.caches;
    delete Navigator.prototype.locks;
    delete Navigator.prototype.serviceWorker;
  };

  const isBlocked = (name) => {
    try {
      globalThis[name].getItem('hw.member');
      return false;
    } catch (error) {
      // Without a SecurityError there is no storage, as in apps that show the page.
      if (error.name === 'SecurityError') removeStores();
      return true;
    }
  };

  for (const name of ['localStorage', 'sessionStorage']) {
    if (!isBlocked(name)) continue;
    const value = new MemoryStorage();
    if (name === 'localStorage') value.setItem('hw.keeps-nothing', '1');
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }

  // Firefox blocks channels too. The library of the database opens one when it is loaded.
  try {
    new BroadcastChannel('hw-probe').close();
  } catch {
    globalThis.BroadcastChannel = class extends EventTarget {
      postMessage() {}
      close() {}
    };
  }
})();

// Runs before the first paint. Sets the theme selected on this device, else the one that the device prefers.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('hw.theme');
  } catch {
    // The storage is not available: the device's theme is used.
  }
  if (theme !== 'light' && theme !== 'dark' && theme !== 'taco') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset.theme = theme;
})();

// Starts, while the bundle is loading, what the first screen needs: its chunks, the session, the first page of its list
// and the first pictures. api/early.ts passes these responses to the app.
(() => {
  // The addresses are those that the screens request; a response to another one would not be used.
  const lists = {
    '/': { address: '/api/matches/for-you?limit=12', picture: ({ photos }) => photos[0]?.url },
    '/discover': { address: '/api/discover?limit=12', picture: ({ photos }) => photos[0]?.thumbUrl },
    '/matches': { address: '/api/matches', picture: ({ user }) => user.profileImageUrl },
    // Only for a new device: another one requests what changed since its last sync.
    '/messages': {
      address: '/api/sync',
      newDeviceOnly: true,
      rowsOf: ({ conversations }) => conversations,
      picture: ({ user }) => user.profileImageUrl,
    },
  };
  const pathname = location.pathname.replace(/^(\/messages)\/.+/, '$1/:id');
  const chunks = JSON.parse(document.currentScript?.dataset.chunks ?? '{}');
  const requests = {};

  // Returns the response to an early request once, unless it is older than 10 s or of another member. It is undefined
  // if there is none, and none is sent later.
  globalThis.hwEarlyResponse = (address) => {
    const request = requests[address];
    requests[address] = null;
    const isCurrent =
      request?.member === localStorage.getItem('hw.member') && Date.now() - request.at < 10_000;
    return isCurrent ? request.response : undefined;
  };

  const preload = (names = []) => {
    for (const href of names) {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    }
  };

  // `member` is the member for whom the request was sent.
  async function request(address, member) {
    if (address in requests) return undefined;
    const controller = new AbortController();
    // Like the app's own requests, whose timeout cannot end a body that another request is receiving.
    setTimeout(() => controller.abort(), 15_000);
    const response = fetch(address, {
      headers: { Accept: 'application/json' },
      redirect: 'error',
      signal: controller.signal,
    });
    requests[address] = { member, response, at: Date.now() };
    try {
      return await (await response).clone().json();
    } catch {
      return undefined;
    }
  }

  // Uses the responses that the server has written into the page, and returns the session, undefined if there is none.
  // `member` is the one of this device.
  function readResponsesInPage(member) {
    const text = document.getElementById('hw-responses')?.textContent ?? '[]';
    let session;
    for (const { address, headers, body } of JSON.parse(text)) {
      if (address === '/api/auth/session') session = body;
      const response = Promise.resolve(new Response(JSON.stringify(body), { headers }));
      // The session is the first one; the list is of its member.
      const owner = address === '/api/auth/session' ? member : (session?.member?.id ?? member);
      requests[address] = { member: owner, response, at: Date.now() };
    }
    return session;
  }

  async function requestList(member) {
    const list = lists[pathname];
    if (!list) return;
    const response = await request(list.address, member);
    const [first] = (response && list.rowsOf ? list.rowsOf(response) : response) ?? [];
    if (first) fetchPicture(list.picture(first));
  }

  function fetchPicture(address) {
    if (address) new Image().src = address;
  }

  async function start(member) {
    const sessionInPage = readResponsesInPage(member);
    if (sessionInPage) {
      // The page also has the links to the chunks and the picture. The list is requested if the page lacks it.
      const isListed = sessionInPage.member && !(member && lists[pathname]?.newDeviceOnly);
      if (isListed) void requestList(sessionInPage.member.id);
      return;
    }
    if (/^\/(login|signup|shared-date)\b/.test(pathname)) return preload(chunks[pathname]);
    // At / a visitor gets the landing page, which is not the app's.
    if (member || pathname !== '/') preload(chunks[pathname]);
    if (member && !lists[pathname]?.newDeviceOnly) void requestList(member);
    const session = await request('/api/auth/session', member);
    if (!session?.member) return;
    if (pathname === '/profile') fetchPicture(session.member.photos[0]?.url);
    if (member) return;
    preload(chunks[pathname]);
    void requestList(session.member.id);
  }

  try {
    // A pending sign-out must reach the server first.
    if (!localStorage.getItem('hw.leaving')) void start(localStorage.getItem('hw.member'));
  } catch {
    // The storage is not available: the app sends its own requests.
  }
})();

// If #boot is still in the page long after its load, the cached shell is broken. The cache is then deleted and the page
// reloaded, once a session and only if the server responds. The member's data on this device is not changed.
addEventListener('load', () => setTimeout(reloadWithoutCache, 10_000));

async function reloadWithoutCache() {
  try {
    if (!document.getElementById('boot') || sessionStorage.getItem('hw.cache-deleted')) return;
    const response = await fetch('/healthz', { cache: 'no-store' });
    if (!response.ok) return;
    sessionStorage.setItem('hw.cache-deleted', '1');
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith('workbox-precache')) await caches.delete(name);
    }
    location.reload();
  } catch {
    // The server or the storage is not available.
  }
}
