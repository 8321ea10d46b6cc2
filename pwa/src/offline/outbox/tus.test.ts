import type { HttpRequest, HttpResponse } from 'tus-js-client';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/request.ts';
import { UploadExpired, uploadError } from './tus.ts';

const errorOf = (method: string, status: number, headers: Record<string, string>, body = '') =>
  uploadError({
    originalRequest: { getMethod: () => method } as HttpRequest,
    originalResponse: {
      getStatus: () => status,
      getHeader: (name: string) => headers[name],
      getBody: () => body,
      getUnderlyingObject: () => null,
    } as HttpResponse,
  });

describe('the error of an upload', () => {
  it.each([
    ['POST', 403],
    ['PATCH', 403],
    ['PATCH', 404],
    ['HEAD', 404],
    ['PATCH', 413],
    ['POST', 451],
    ['PATCH', 200],
  ])('is that of a proxy after an HTML page: %s %i', (method, status) => {
    const error = errorOf(method, status, { 'Content-Type': 'text/html' }, '<html>Sign in to this Wi-Fi');
    expect(error).toMatchObject({ kind: 'proxy', isTemporary: true });
  });

  it('is that of the server with its sentence', () => {
    const body = JSON.stringify({ detail: 'This file is too large.' });
    expect(errorOf('POST', 413, { 'Content-Type': 'application/problem+json' }, body)).toMatchObject({
      status: 413,
      isTemporary: false,
      detail: 'This file is too large.',
    });
  });

  it('is an expired upload if the server no longer has it', () => {
    expect(errorOf('HEAD', 404, { 'Tus-Resumable': '1.0.0' })).toBeInstanceOf(UploadExpired);
    expect(errorOf('PATCH', 410, { 'Content-Type': 'application/problem+json' }, '{}')).toBeInstanceOf(
      UploadExpired,
    );
  });

  it('is temporary while the server is away', () => {
    expect(errorOf('PATCH', 502, { 'Content-Type': 'text/html' }, '<html>Bad Gateway')).toBeInstanceOf(
      ApiError,
    );
    expect(errorOf('PATCH', 502, {})).toMatchObject({ isTemporary: true });
  });
});
