/** Every address of the app, so that no screen spells one out. */
export const paths = {
  home: '/',
  signUp: '/signup',
  login: '/login',
  discover: '/discover',
  matches: '/matches',
  likes: '/matches/likes',
  passed: '/matches/passed',
  messages: '/messages',
  dates: '/dates',
  conversation: (id: string) => `/messages/${encodeURIComponent(id)}`,
  profile: '/profile',
  settings: '/settings',
  start: '/start',
  referrals: '/referrals',
  perks: '/perks',
  mediaDemo: '/media-demo',
  member: (id: string) => `/profile/${encodeURIComponent(id)}`,
} as const;

/** The sign-in screen, which leads back to `from` afterwards. */
export function loginPath(from: string): string {
  return from === '/' ? paths.login : `${paths.login}?next=${encodeURIComponent(from)}`;
}

/** Where to go after signing in: only ever a path of this app, whatever the address says. */
export function nextPath(search: string, fallback: string): string {
  const next = new URLSearchParams(search).get('next');
  if (!next?.startsWith('/')) return fallback;
  const target = new URL(next, location.origin);
  if (target.origin !== location.origin) return fallback;
  return target.pathname + target.search + target.hash;
}
