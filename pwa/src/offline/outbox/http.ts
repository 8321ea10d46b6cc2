/**
 * The requests of the outbox, which the service worker makes too; screens use
 * src/api/client.ts. A redirect or a page of HTML is a network's sign-in
 * portal, not our server, and counts as no answer.
 */
const TIMEOUT_MS = 15_000;

/** The server answered, and not with success. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly retryAfterMs: number | null,
  ) {
    super(`${status}: ${detail}`);
    this.name = 'HttpError';
  }
}

type Options = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** Whose write it is: the server refuses it when the cookie is another member's by now. */
  memberId?: string;
  fetch: typeof fetch;
  now: number;
};

/** Throws HttpError for an answer other than 2xx, anything else when there was no answer. */
export async function requestJson<T>(
  path: string,
  { method, body, memberId, fetch, now }: Options,
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(memberId ? { 'X-Member': memberId } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 204) return undefined as T;
  const json = response.headers.get('Content-Type')?.includes('json') ? await response.json() : null;
  const asked = retryAfter(response.headers.get('Retry-After'), now);
  const wait = asked !== null && response.status !== 429 ? Math.min(asked, LONGEST_OUTAGE_MS) : asked;
  // A proxy may ask to wait for our server, in whatever words; what it takes or refuses is not ours.
  if (isLater(response.status)) throw new HttpError(response.status, json?.detail ?? '', wait);
  if (json === null) throw new TypeError('The answer is not JSON');
  if (!response.ok) {
    const detail = json.detail || json.title || 'The server could not do this.';
    throw new HttpError(response.status, detail, wait);
  }
  return json as T;
}

/** The server could not take it now, and may another time. */
export const isLater = (status: number) => status >= 500 || status === 408 || status === 429;

/** The longest that our server asks for is until tomorrow's likes. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** The longest wait, outside 429, that a Retry-After header of a server or a proxy can impose. */
const LONGEST_OUTAGE_MS = 5 * 60_000;

/** Retry-After in milliseconds from now, at most a day: seconds, or a date. */
export function retryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), LONGEST_WAIT_MS);
}
