import { afterEach, expect, it, vi } from 'vitest';
import { refusesCookies } from './cookies.ts';

afterEach(() => vi.restoreAllMocks());

it('tells a browser that stores no cookies from one that does, and leaves none', () => {
  expect(refusesCookies()).toBe(false);
  expect(document.cookie).not.toContain('hw-probe');
  vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
  expect(refusesCookies()).toBe(true);
});
