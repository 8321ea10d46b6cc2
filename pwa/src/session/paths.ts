import { SHARE_PATH } from '@/offline/device/sharedNames.ts';

export type Path = `/${string}`;

export const profileTabs = ['overview', 'activity', 'referrals', 'settings'] as const;
export type ProfileTab = (typeof profileTabs)[number];

export const settingsTabs = ['notifications', 'appearance', 'filters', 'media', 'privacy'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The questions of the guided first run, in order. */
export const startSteps = ['gender', 'seek', 'photo', 'prompt'] as const;
export type StartStep = (typeof startSteps)[number];

/** The routes with a parameter, as the router matches them; `paths` builds their addresses. */
export const routePatterns = {
  conversation: '/messages/:id',
  member: '/profile/:id',
  post: '/community/:id',
  startStep: '/start/:step',
  adminTab: '/admin/dashboard/:tab',
  adminItem: '/admin/dashboard/:tab/:id',
} as const;

/** Every address that the app links to. No screen spells one out. */
export const paths = {
  home: '/',
  /** Leads to `home`; at this address the server has the app for everyone. */
  homeOfApp: '/home',
  signUp: '/signup',
  login: '/login',
  /** The sign-in screen for a member who has just asked for the deletion of the account. */
  loginAfterDeletion: '/login?deleted',
  adminLogin: '/admin/login',
  /** The link of a mail about a sign-in or a password; the token is its fragment. */
  notMe: '/not-me',
  /** The link that a member shares with a friend; the token is its fragment. */
  sharedDate: '/shared-date',
  /** Pages of the server, which are no routes of the app. */
  privacy: '/privacy',
  terms: '/terms',
  discover: '/discover',
  matches: '/matches',
  likes: '/matches/likes',
  passed: '/matches/passed',
  messages: '/messages',
  /** `id` is the conversation's, its match's or the other member's. */
  conversation: (id: string): Path => `/messages/${encodeURIComponent(id)}`,
  /** A conversation, opened at the message with this seq. */
  message: (conversationId: string, seq: number): Path => `${paths.conversation(conversationId)}?at=${seq}`,
  dates: '/dates',
  notifications: '/notifications',
  profile: '/profile',
  profileTab: (tab: ProfileTab): Path => `/profile?tab=${tab}`,
  member: (id: string): Path => `/profile/${encodeURIComponent(id)}`,
  /** The member's own profile as others see it. */
  ownProfileAs: (id: string, viewer: 'stranger' | 'match' | 'blocked'): Path =>
    `/profile/${encodeURIComponent(id)}${viewer === 'stranger' ? '' : `?as=${viewer}`}`,
  settings: '/settings',
  settingsTab: (tab: SettingsTab): Path => `/settings?tab=${tab}`,
  emailSettings: '/settings?tab=notifications#email',
  start: '/start',
  startStep: (step: StartStep): Path => `/start/${step}`,
  share: SHARE_PATH,
  referrals: '/referrals',
  /** Where a friend signs up with a member's invitation code, which `invitation.ts` reads. */
  invitation: (code: string): Path => `/?ref=${encodeURIComponent(code)}`,
  perks: '/perks',
  badges: '/badges',
  moments: '/shareable-moments',
  graduation: '/graduation',
  legacyWall: '/legacy-wall',
  lovePulse: '/love-pulse',
  together: '/together',
  safety: '/safety',
  decisions: '/decisions',
  community: '/community',
  /** The stories with a tag. */
  communityTag: (tag: string): Path => `/community?${new URLSearchParams({ tag })}`,
  communityRules: '/community/rules',
  /** The member's own stories. */
  ownPosts: '/community/mine',
  post: (id: string): Path => `/community/${encodeURIComponent(id)}`,
  demos: '/demo',
  mediaDemo: '/media-demo',
  messagingDemo: '/messaging-demo',
  sparksDemo: '/connection-sparks-demo',
  test: '/test',
  /** `adminPath` builds the addresses below. */
  admin: '/admin/dashboard',
} as const satisfies Record<string, Path | ((...args: never[]) => Path)>;

/** The sign-in screen, which leads back to `from` afterwards. */
export function loginPath(from: string): Path {
  return from === paths.home ? paths.login : `${paths.login}?next=${encodeURIComponent(from)}`;
}

/** The admins' sign-in, which leads back to `from` afterwards. */
export const adminLoginPath = (from: string): Path => `${paths.adminLogin}?next=${encodeURIComponent(from)}`;

/** Returns the path to go to after signing in, which is always one of this app. */
export function nextPath(search: string, fallback: string): string {
  const next = new URLSearchParams(search).get('next');
  if (!next?.startsWith('/')) return fallback;
  const target = new URL(next, location.origin);
  // A path like /.//evil.test becomes //evil.test, which a browser reads as another site.
  if (target.origin !== location.origin || target.pathname.startsWith('//')) return fallback;
  return target.pathname + target.search + target.hash;
}
