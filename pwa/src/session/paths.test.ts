import { describe, expect, it } from 'vitest';
import { loginPath, nextPath, paths } from './paths.ts';

describe('the way to sign-in and back', () => {
  it('remembers where the member was going', () => {
    const search = new URL(loginPath('/messages/7?x=1#y'), 'http://x').search;
    expect(nextPath(search, '/')).toBe('/messages/7?x=1#y');
  });

  it('never leads to another site', () => {
    for (const next of ['https://evil.test/', '//evil.test/a', '/\\evil.test', 'javascript:alert(1)', '']) {
      const reached = nextPath(`?next=${encodeURIComponent(next)}`, '/discover');
      expect(new URL(reached, location.origin).origin).toBe(location.origin);
      expect(reached).not.toContain('evil.test/');
    }
  });

  it('falls back without a target', () => {
    expect(nextPath('', '/discover')).toBe('/discover');
    expect(loginPath('/')).toBe('/login');
  });

  it('escapes ids', () => {
    expect(paths.member('a/b')).toBe('/profile/a%2Fb');
  });
});
