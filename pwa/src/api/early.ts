/** Uses the responses to the requests that public/boot.js has sent while the bundle was loading. */

type EarlyResponse = (address: string) => Promise<Response> | undefined;

/** Sends a GET, or returns the response to the early request for the same address. */
export const fetchUsingEarlyResponse: typeof fetch = (input, init) => {
  const { hwEarlyResponse } = globalThis as { hwEarlyResponse?: EarlyResponse };
  if (!hwEarlyResponse || !(input instanceof Request)) return fetch(input, init);
  const { pathname, search } = new URL(input.url);
  const response = hwEarlyResponse(pathname + search);
  return response ? rejectOnAbort(response, init?.signal) : fetch(input, init);
};

function rejectOnAbort(response: Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    response.then(resolve, reject);
  });
}
