/** Typed calls of the API: `unwrap(api.GET('/api/users/{id}', { params: { path: { id } } }))`. */
import { fetchUsingEarlyResponse } from './early.ts';
import { describeError } from './errors.ts';
import { ApiError, type ApiResponse, type RequestOptions, request } from './request.ts';
import type { paths } from './schema.gen.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Empty = Record<never, never>;
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type Params<O> = O extends { parameters: infer P } ? Pick<P, Extract<keyof P, 'query' | 'path'>> : never;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;
type Body<O> = O extends { requestBody: infer R }
  ? { body: Json<R> }
  : O extends { requestBody?: infer R }
    ? { body?: Json<NonNullable<R>> }
    : unknown;
type Options<O> = (Empty extends Params<O> ? { params?: Params<O> } : { params: Params<O> }) &
  Body<O> & { signal?: AbortSignal };
type Success = 200 | 201 | 202 | 204;
type Data<O> = O extends { responses: infer R } ? Json<R[Extract<keyof R, Success>]> : never;

type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...options: Empty extends Options<paths[P][M]> ? [Options<paths[P][M]>?] : [Options<paths[P][M]>]
) => Promise<ApiResponse<Data<paths[P][M]>>>;

type AnyOptions = {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
  signal?: AbortSignal;
};

const call =
  (method: RequestOptions['method']) =>
  (template: string, { params = {}, body, signal }: AnyOptions = {}) =>
    request(addressOf(template, params), {
      method,
      body,
      signal,
      fetch: method === 'GET' ? fetchUsingEarlyResponse : undefined,
    });

export const api = {
  GET: call('GET') as Call<'get'>,
  POST: call('POST') as Call<'post'>,
  PUT: call('PUT') as Call<'put'>,
  PATCH: call('PATCH') as Call<'patch'>,
  DELETE: call('DELETE') as Call<'delete'>,
};

function addressOf(template: string, { path = {}, query = {} }: NonNullable<AnyOptions['params']>): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${address}?${search}` : address;
}

/** Returns the body of the response. */
export async function unwrap<T>(call: Promise<ApiResponse<T>>): Promise<T> {
  return (await call).data;
}

/** A number of rows; `more` means that there are more than that. */
export type Remaining = { count: number; more: boolean };

/** `next` is the cursor of the next page, null after the last one; `remaining` are the rows after this page. */
type ApiPage<T> = { items: T[]; next: string | null; remaining: Remaining };

/** Returns a page of a list. Without the server's number of remaining rows, only `next` says whether there are more. */
export async function unwrapPage<T>(call: Promise<ApiResponse<T[]>>): Promise<ApiPage<T>> {
  const { data, response } = await call;
  const next = nextCursor(response.headers.get('Link'));
  const remaining = parseCount(response.headers.get('X-Remaining'));
  return { items: data ?? [], next, remaining: remaining ?? { count: 0, more: next !== null } };
}

/** Returns the number in a header such as "7" or "1000+". */
export function parseCount(header: string | null): Remaining | null {
  return header ? { count: Number.parseInt(header, 10), more: header.endsWith('+') } : null;
}

export function nextCursor(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>\s*;[^,]*rel="next"/)?.[1];
  return target ? new URL(target, 'http://x').searchParams.get('cursor') : null;
}

/** Returns the text for the member about data that could not be loaded. After a reconnect the app requests it again. */
export function describeLoadError(error: unknown): string {
  if (error instanceof ApiError && error.isNetwork)
    return "We can't reach Heartward right now. This will load once you're connected again.";
  return describeError(error);
}
