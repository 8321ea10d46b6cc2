/** The addresses of the admin dashboard, in a module of their own because no member's screen needs them. */
import { type Path, paths } from './paths.ts';

export const adminTabs = [
  'queue',
  'users',
  'reports',
  'appeals',
  'messages',
  'verifications',
  'profiles',
  'graduations',
  'community',
  'audit',
  'figures',
  'settings',
] as const;
export type AdminTab = (typeof adminTabs)[number];

/** The tabs of a moderator, who can also open the entry of one member. */
export const moderatorTabs: readonly AdminTab[] = [
  'queue',
  'reports',
  'messages',
  'verifications',
  'profiles',
  'graduations',
  'community',
];

/** The tabs whose entries have addresses. */
export const entryTabs: readonly AdminTab[] = [
  'queue',
  'users',
  'reports',
  'appeals',
  'messages',
  'verifications',
  'profiles',
  'graduations',
  'community',
];

/** Returns the address of a tab, or of one entry of its list. */
export const adminPath = (tab: AdminTab, id?: string): Path =>
  `${paths.admin}/${tab}${id ? `/${encodeURIComponent(id)}` : ''}`;
