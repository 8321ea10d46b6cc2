import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema.gen.ts';
import type { Problem } from './types.ts';

const timeoutMs = 15_000;

/**
 * Every way a request can fail, as one type. `status` 0 means that no answer arrived (no network, timeout);
 * then `kind` is 'network'. `message` is safe and kind enough to be shown.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly kind: string,
    readonly detail: string,
    /** What is wrong with which field of the request: `{ email: '…' }`. */
    readonly fieldErrors: Record<string, string> = {},
    /** Seconds to wait before the next try, where the server named them. */
    readonly retryAfter: number | null = null,
    /** More exact than the kind, where the server names one. */
    readonly code?: string,
  ) {
    super(detail);
  }

  get isNetwork(): boolean {
    return this.status === 0;
  }
}

/** Returns the text to show for a failed action. Only an ApiError has one of its own. */
export function describeError(error: unknown): string {
  return error instanceof ApiError ? error.detail : 'Please try again.';
}

/** "body.prompts[0].answer" → "prompts[0].answer"; "query.cursor" → "cursor". */
function fieldOf(location: string): string {
  return location.replace(/^(body|query|path|header)\./, '');
}

async function errorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const fields: Record<string, string> = {};
  for (const { location, message } of problem.errors ?? []) {
    if (location && message) fields[fieldOf(location)] ??= message;
  }
  const seconds = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    problem.kind ?? 'internal',
    problem.detail || problem.title || 'The server could not answer. Please try again.',
    fields,
    Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    problem.code,
  );
}

const failures: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
  onError({ error }) {
    if (error instanceof ApiError) return error;
    return new ApiError(0, 'network', 'We could not reach Heartward. Check your connection and try again.');
  },
};

/** Ended by the caller or by the clock, body included. (AbortSignal.any is younger than the browsers that are served.) */
async function limited(request: Request): Promise<Response> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  if (request.signal.aborted) stop();
  request.signal.addEventListener('abort', stop);
  const timer = setTimeout(stop, timeoutMs);
  try {
    const response = await fetch(request, { signal: limit.signal });
    const body = await response.arrayBuffer();
    // A response without content (204, 304) may not have a body, not even an empty one.
    return new Response(body.byteLength > 0 ? body : null, response);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', stop);
  }
}

/** Typed calls: `unwrap(api.GET('/api/users/{id}', { params: { path: { id } } }))`. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? '',
  credentials: 'same-origin',
  fetch: limited,
});
api.use(failures);

type Answer<T> = { data?: T; response: Response };

/** The answer's body; a refusal or a missing network is thrown as ApiError. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await call).data as T;
}

/** A page of a list and the cursor of the next one, null at the end. */
export async function unwrapPage<T>(
  call: Promise<Answer<T[]>>,
): Promise<{ items: T[]; next: string | null }> {
  const { data, response } = await call;
  return { items: data ?? [], next: nextCursor(response.headers.get('Link')) };
}

export function nextCursor(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>\s*;[^,]*rel="next"/)?.[1];
  return target ? new URL(target, 'http://x').searchParams.get('cursor') : null;
}
