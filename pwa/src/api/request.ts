/**
 * Sends one request to the server, from page or service worker. A redirect, or a success with HTML instead of JSON, is
 * from a captive portal and counts as no response.
 */
import { MemberError } from './errors.ts';
import type { ErrorCode, Problem } from './types.ts';

const TIMEOUT_MS = 15_000;

/** The maximum of the server's Retry-After, which for likes is the next day. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** The maximum of Retry-After of a failure of the server, because the header may be a proxy's. */
const LONGEST_OUTAGE_MS = 5 * 60_000;

/**
 * The error of a failed request. Without a response (no network, timeout) `status` is 0 and `kind` is 'network'. The
 * kind 'proxy' marks a response of a proxy with a status below 500.
 */
export class ApiError extends MemberError {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly kind: string,
    readonly detail: string,
    override readonly fieldErrors: Record<string, string> = {},
    /** The server's delay before the next attempt; null if it has sent none. */
    readonly retryAfterMs: number | null = null,
    /** The server's code of the error, more specific than the kind. */
    readonly code?: ErrorCode,
  ) {
    super(detail);
  }

  get isNetwork(): boolean {
    return this.status === 0;
  }

  /** Whether the same request may succeed later: the server could not handle it now, or did not receive it. */
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
  /** The id of the member who writes. The server rejects the request if the cookie is another member's. */
  memberId?: string;
  signal?: AbortSignal;
  fetch?: typeof fetch;
};

export type ApiResponse<T> = { data: T; response: Response };

/**
 * Sends a request and returns the JSON of the response. Throws ApiError for a status other than 2xx and without a
 * response.
 */
export async function request<T>(path: string, options: RequestOptions): Promise<ApiResponse<T>> {
  const { response, json, isEmpty } = await exchange(path, options).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw errorOf(response, json);
  // 201, 202 and 204 may have no body; 200 always has one.
  if (isEmpty && response.status !== 200) return { data: undefined as T, response };
  if (json === undefined) throw networkError();
  return { data: json as T, response };
}

/** Sends a request and reads the body within TIMEOUT_MS. (Some supported browsers lack AbortSignal.any.) */
async function exchange(path: string, { signal, ...options }: RequestOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = setTimeout(stop, TIMEOUT_MS);
  try {
    const send = options.fetch ?? fetch;
    const response = await send(requestOf(path, options), { signal: controller.signal });
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
  const requested = retryAfter(headers.get('Retry-After'), Date.now());
  const wait = requested !== null && status >= 500 ? Math.min(requested, LONGEST_OUTAGE_MS) : requested;
  // The server's errors are JSON. An error in another format is a proxy's.
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
