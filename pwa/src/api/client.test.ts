import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, describeLoadError, nextCursor, unwrap, unwrapPage } from './client.ts';
import { describeError, MemberError } from './errors.ts';
import { ApiError, retryAfter } from './request.ts';

function fakeResponse(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetchFake = vi.fn(
    async () =>
      new Response(body === null ? null : JSON.stringify(body), {
        status,
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
  );
  vi.stubGlobal('fetch', fetchFake);
  return fetchFake;
}

afterEach(() => vi.unstubAllGlobals());

describe('unwrap', () => {
  it('returns the body', async () => {
    fakeResponse(200, ['Healing']);
    expect(await unwrap(api.GET('/api/settings/intention-tags'))).toEqual(['Healing']);
  });

  it.each([201, 202, 204])('accepts a %i without a body', async (status) => {
    vi.stubGlobal('fetch', async () => new Response(null, { status }));
    expect(await unwrap(api.POST('/api/auth/code', { body: { email: 'ann@example.test' } }))).toBeUndefined();
  });

  it.each(['<html>', ''])(
    'treats a 200 with the body "%s", which is not the server’s, as no response',
    async (body) => {
      vi.stubGlobal('fetch', async () => new Response(body));
      await expect(unwrap(api.GET('/api/auth/user'))).rejects.toMatchObject({ status: 0, kind: 'network' });
    },
  );

  it('throws an ApiError with field errors and Retry-After', async () => {
    fakeResponse(
      422,
      {
        status: 422,
        kind: 'invalid',
        detail: 'Please check the form',
        errors: [{ location: 'body.code', message: 'Wrong code' }],
      },
      { 'Retry-After': '60' },
    );
    const failure = await unwrap(api.POST('/api/auth/code', { body: { email: 'x' } })).catch(
      (e: unknown) => e,
    );
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 422,
      kind: 'invalid',
      detail: 'Please check the form',
      fieldErrors: { code: 'Wrong code' },
      retryAfterMs: 60_000,
    });
  });

  it('throws an ApiError with status 0 when offline', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const failure = await unwrap(api.GET('/api/auth/user')).catch((e: unknown) => e);
    expect(failure).toMatchObject({ status: 0, kind: 'network', isNetwork: true });
  });

  it('has a time limit that includes the body, and clears its timer', async () => {
    vi.useFakeTimers();
    fakeResponse(200, ['Healing']);
    await unwrap(api.GET('/api/settings/intention-tags'));
    expect(vi.getTimerCount()).toBe(0);

    vi.stubGlobal('fetch', async (_: Request, { signal }: RequestInit) => {
      const stalled = new ReadableStream({
        start: (controller) =>
          signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
      });
      return new Response(stalled, { headers: { 'Content-Type': 'application/json' } });
    });
    const failure = unwrap(api.GET('/api/auth/user')).catch((e: unknown) => e);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await failure).toMatchObject({ status: 0, kind: 'network' });
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('throws an ApiError for a response that is not a problem document', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
    const failure = await unwrap(api.GET('/api/auth/user')).catch((e: unknown) => e);
    expect(failure).toMatchObject({ status: 502, kind: 'internal' });
  });
});

describe('pages', () => {
  it('have the next cursor of the Link header', async () => {
    fakeResponse(200, [{ id: '1' }], { Link: '</api/matches?cursor=a%3Db&limit=2>; rel="next"' });
    const page = await unwrapPage(api.GET('/api/matches', { params: { query: {} } }));
    expect(page).toEqual({ items: [{ id: '1' }], next: 'a=b', remaining: { count: 0, more: true } });
  });

  it.each([
    ['7', { count: 7, more: false }],
    ['1000+', { count: 1000, more: true }],
  ])('have the number of rows after the page: %s', async (header, remaining) => {
    fakeResponse(200, [{ id: '1' }], { 'X-Remaining': header });
    expect((await unwrapPage(api.GET('/api/likes/received'))).remaining).toEqual(remaining);
  });

  it('end without a Link header or without a next link', () => {
    expect(nextCursor(null)).toBeNull();
    expect(nextCursor('</api/matches?cursor=x>; rel="prev"')).toBeNull();
  });
});

describe('a text for the member', () => {
  const offline = new ApiError(0, 'network', 'No connection.');

  it('is the message of an error that is for members, and never that of another error', () => {
    expect(describeError(new ApiError(422, 'invalid', 'Choose a date.'))).toBe('Choose a date.');
    expect(describeError(new MemberError('This video cannot be read here.'))).toContain('This video');
    expect(describeError(new TypeError('Failed to fetch'))).toBe('Please try again.');
    expect(describeError(new TypeError('Failed to fetch'), 'It was not sent.')).toBe('It was not sent.');
  });

  it('says about a screen without a connection what happens next', () => {
    expect(describeLoadError(offline)).toContain("will load once you're connected again");
    expect(describeLoadError(new ApiError(500, 'internal', 'It is our fault.'))).toBe('It is our fault.');
    expect(describeLoadError(new TypeError('Failed to fetch'))).toBe('Please try again.');
  });
});

describe('a request that takes too long', () => {
  const hanging = () =>
    vi.fn(
      (_: Request, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
  afterEach(() => vi.useRealTimers());

  it('fails after 15 seconds as if offline', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', hanging());
    const call = expect(api.GET('/api/settings/intention-tags')).rejects.toMatchObject({ status: 0 });
    await vi.advanceTimersByTimeAsync(15_000);
    await call;
  });

  it('is aborted by its caller, also in browsers without AbortSignal.any', async () => {
    vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
      throw new TypeError('AbortSignal.any is not a function');
    });
    vi.stubGlobal('fetch', hanging());
    const caller = new AbortController();
    const call = expect(
      api.GET('/api/settings/intention-tags', { signal: caller.signal }),
    ).rejects.toMatchObject({ status: 0 });
    caller.abort();
    await call;
  });
});

it('retryAfter parses seconds and dates, up to a day', () => {
  const now = Date.UTC(2026, 10, 21);
  expect(retryAfter('7', now)).toBe(7000);
  expect(retryAfter(new Date(now + 5000).toUTCString(), now)).toBe(5000);
  expect(retryAfter('soon', now)).toBeNull();
  expect(retryAfter('99999999', now)).toBe(86_400_000);
  expect(retryAfter(new Date(now + 9e11).toUTCString(), now)).toBe(86_400_000);
  expect(retryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0);
});
