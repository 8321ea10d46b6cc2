/**
 * One request to the server, for page and service worker. A redirect, or HTML instead of JSON, comes from a captive
 * portal and counts as no response.
 */
import type { Problem } from './types.ts';

const TIMEOUT_MS = 15_000;

/** The longest Retry-After of the server: until tomorrow's likes. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** The longest wait, outside 429, that a Retry-After header of a server or a proxy can impose. */
const LONGEST_OUTAGE_MS = 5 * 60_000;

/**
 * Every way a request can fail, as one type. `status` 0 means that no answer arrived (no network, timeout);
 * then `kind` is 'network'. The kind 'proxy' marks an answer of something between page and server. `message` is safe and kind enough to be shown.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly kind: string,
    readonly detail: string,
    /** What is wrong with which field of the request: `{ email: '…' }`. */
    readonly fieldErrors: Record<string, string> = {},
    /** How long to wait before the next try, where the server named it. */
    readonly retryAfterMs: number | null = null,
    /** More exact than the kind, where the server names one. */
    readonly code?: string,
  ) {
    super(detail);
  }

  get isNetwork(): boolean {
    return this.status === 0;
  }

  /** The server cannot do it now, or did not receive the request; the same request may succeed later. */
  get isTemporary(): boolean {
    const { status, kind } = this;
    return status === 0 || status >= 500 || status === 408 || status === 429 || kind === 'proxy';
  }
}

const networkError = () =>
  new ApiError(0, 'network', 'We could not reach Heartward. Check your connection and try again.');

export type RequestOptions = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Whose write it is: the server refuses it when the cookie belongs to another member by now. */
  memberId?: string;
  signal?: AbortSignal;
  fetch?: typeof fetch;
};

export type Answer<T> = { data: T; response: Response };

/** Sends a request and returns the JSON of the answer. Throws ApiError for an answer other than 2xx, and for none. */
export async function request<T>(path: string, options: RequestOptions): Promise<Answer<T>> {
  const { response, json, isEmpty } = await exchange(path, options).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw errorOf(response, json);
  // 201, 202 and 204 may come without a body, 200 never does.
  if (isEmpty && response.status !== 200) return { data: undefined as T, response };
  if (json === undefined) throw networkError();
  return { data: json as T, response };
}

/** The time limit includes the body. (AbortSignal.any is younger than the browsers that are served.) */
async function exchange(path: string, { signal, ...options }: RequestOptions) {
  const limit = new AbortController();
  const stop = () => limit.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = setTimeout(stop, TIMEOUT_MS);
  try {
    const send = options.fetch ?? fetch;
    const response = await send(requestOf(path, options), { signal: limit.signal });
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.includes('json') && text !== '';
    return { response, json: isJson ? (JSON.parse(text) as unknown) : undefined, isEmpty: text === '' };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const requestOf = (path: string, { method, body, memberId }: RequestOptions): Request =>
  new Request(new URL(path, location.origin), {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(memberId ? { 'X-Member': memberId } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'error',
  });

function errorOf({ status, headers }: Response, json: unknown): ApiError {
  const problem = (json ?? {}) as Partial<Problem>;
  const fields: Record<string, string> = {};
  for (const { location, message } of problem.errors ?? []) {
    if (location && message) fields[fieldOf(location)] ??= message;
  }
  const asked = retryAfter(headers.get('Retry-After'), Date.now());
  const wait = asked !== null && status !== 429 ? Math.min(asked, LONGEST_OUTAGE_MS) : asked;
  // Our server's errors are JSON. An error in another format is that of a proxy.
  const kind = problem.kind ?? (json === undefined && status < 500 ? 'proxy' : 'internal');
  const detail = problem.detail || problem.title || 'The server could not answer. Please try again.';
  return new ApiError(status, kind, detail, fields, wait, problem.code);
}

/** "body.prompts[0].answer" → "prompts[0].answer"; "query.cursor" → "cursor". */
const fieldOf = (location: string): string => location.replace(/^(body|query|path|header)\./, '');

/** Returns a Retry-After header, in seconds or as a date, as milliseconds from `now`, at most a day. */
export function retryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), LONGEST_WAIT_MS);
}
