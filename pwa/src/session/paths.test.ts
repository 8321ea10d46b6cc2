import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { loginPath, nextPath, paths, routePatterns } from './paths.ts';

describe('the paths to sign-in and back', () => {
  it('contain the requested page', () => {
    const search = new URL(loginPath('/messages/7?x=1#y'), 'http://x').search;
    expect(nextPath(search, '/')).toBe('/messages/7?x=1#y');
  });

  it('never lead to another site', () => {
    for (const next of [
      'https://evil.test/',
      '//evil.test/a',
      '/\\evil.test',
      '/.//evil.test',
      '/a/..//evil.test/b',
      'javascript:alert(1)',
      '',
    ]) {
      const target = nextPath(`?next=${encodeURIComponent(next)}`, '/discover');
      expect(new URL(target, location.origin).origin).toBe(location.origin);
      expect(target).not.toContain('evil.test/');
    }
  });

  it('fall back without a target', () => {
    expect(nextPath('', '/discover')).toBe('/discover');
    expect(loginPath('/')).toBe('/login');
  });
});

it.each([
  [paths.home, '/'],
  [paths.signUp, '/signup'],
  [paths.login, '/login'],
  [paths.discover, '/discover'],
  [paths.matches, '/matches'],
  [paths.likes, '/matches/likes'],
  [paths.passed, '/matches/passed'],
  [paths.messages, '/messages'],
  [paths.conversation('7'), '/messages/7'],
  [paths.message('7', 12), '/messages/7?at=12'],
  [paths.dates, '/dates'],
  [paths.profile, '/profile'],
  [paths.profileTab('referrals'), '/profile?tab=referrals'],
  [paths.member('7'), '/profile/7'],
  [paths.member('a/b'), '/profile/a%2Fb'],
  [paths.settings, '/settings'],
  [paths.settingsTab('privacy'), '/settings?tab=privacy'],
  [paths.emailSettings, '/settings?tab=notifications#email'],
  [paths.start, '/start'],
  [paths.startStep('gender'), '/start/gender'],
  [paths.share, '/share'],
  [paths.referrals, '/referrals'],
  [paths.invitation('A&B'), '/?ref=A%26B'],
  [paths.perks, '/perks'],
  [paths.safety, '/safety'],
  [paths.decisions, '/decisions'],
  [paths.community, '/community'],
  [paths.communityRules, '/community/rules'],
  [paths.ownPosts, '/community/mine'],
  [paths.post('7'), '/community/7'],
  [paths.mediaDemo, '/media-demo'],
  [paths.messagingDemo, '/messaging-demo'],
  [paths.sparksDemo, '/connection-sparks-demo'],
  [paths.test, '/test'],
])('%s is the address %s', (path, address) => {
  expect(path).toBe(address);
});

it('the builders match the patterns of the router', () => {
  expect(matchPath(routePatterns.conversation, paths.conversation('a/b'))?.params).toEqual({ id: 'a/b' });
  expect(matchPath(routePatterns.member, paths.member('a/b'))?.params).toEqual({ id: 'a/b' });
  expect(matchPath(routePatterns.post, paths.post('a/b'))?.params).toEqual({ id: 'a/b' });
});

it('no other file of the app spells out the address of a screen', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../api/*.gen.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const firstSegments = Object.values(paths).flatMap((path) =>
    typeof path === 'string' ? (path.match(/[\w-]+/g)?.[0] ?? []) : [],
  );
  const address = new RegExp(`["'\`]/(${[...new Set(firstSegments)].join('|')})\\b|\\b(to|href)="/["/?]`);
  const found = Object.keys(sources).filter((file) => address.test(sources[file] ?? ''));
  expect(found.sort()).toEqual(['../offline/device/sharedNames.ts', './paths.ts']);
});
