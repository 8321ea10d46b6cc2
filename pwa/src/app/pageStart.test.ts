import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ignoreSkippedTransitions, reloadOnMissingChunk, yieldToBrowserTransitions } from './pageStart.ts';

const chunk = 'http://heartward.test/assets/Sparks-1.js';
const importError = new TypeError(`error loading dynamically imported module: ${chunk}`);
const fetchHead = vi.fn<typeof fetch>();

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('fetch', fetchHead);
  vi.spyOn(location, 'reload').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});
reloadOnMissingChunk();

/** Dispatches the failure of a chunk, and waits until it is handled. */
async function failToLoad(payload: Error = importError): Promise<void> {
  dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  await new Promise((resolve) => setTimeout(resolve));
}

it('reloads once a minute when the server no longer has the chunk', async () => {
  fetchHead.mockImplementation(async () => new Response(null, { status: 404 }));
  await failToLoad();
  expect(fetchHead).toHaveBeenCalledWith(chunk, { method: 'HEAD', cache: 'no-store' });
  expect(location.reload).toHaveBeenCalledTimes(1);
  await failToLoad();
  expect(location.reload).toHaveBeenCalledTimes(1);
});

// Firefox aborts a page's requests as soon as another page is opened; a reload would cancel that navigation.
it('does not reload when the request was aborted and the server still has the chunk', async () => {
  fetchHead.mockImplementation(async () => new Response(null));
  await failToLoad();
  expect(location.reload).not.toHaveBeenCalled();
});

it('does not reload while the server cannot be reached', async () => {
  fetchHead.mockImplementation(async () => Promise.reject(new TypeError('offline')));
  await failToLoad();
  expect(location.reload).not.toHaveBeenCalled();
});

it("requests the page's own script if the error names no chunk", async () => {
  const { happyDOM } = globalThis as unknown as { happyDOM: { settings: Record<string, boolean> } };
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;
  document.head.innerHTML = '<script type="module" src="http://heartward.test/assets/index-1.js"></script>';
  fetchHead.mockImplementation(async () => new Response(null, { status: 404 }));
  await failToLoad(new TypeError('Importing a module script failed.'));
  expect(fetchHead.mock.calls[0]?.[0]).toBe('http://heartward.test/assets/index-1.js');
  expect(location.reload).toHaveBeenCalledTimes(1);
});

it('skips the transition only if the browser draws one itself', () => {
  yieldToBrowserTransitions();
  const goBack = (hasUAVisualTransition?: boolean) => {
    dispatchEvent(Object.assign(new Event('popstate'), { hasUAVisualTransition }));
    return document.documentElement.hasAttribute('data-ua-transition');
  };
  expect([goBack(), goBack(), goBack(true), goBack(true), goBack(false)]).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

it('a view transition that the browser ends early is not an error, and one whose update fails is', async () => {
  const failure = new Error('update');
  vi.stubGlobal('document', {
    startViewTransition: () => ({
      ready: Promise.reject(new DOMException('View transition update callback timed out', 'TimeoutError')),
      finished: Promise.reject(failure),
    }),
  });
  ignoreSkippedTransitions();
  const transition = document.startViewTransition(() => undefined);
  await expect(transition.ready).resolves.toBeUndefined();
  await expect(transition.finished).rejects.toBe(failure);
});
