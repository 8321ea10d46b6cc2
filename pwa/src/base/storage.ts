/**
 * Every localStorage key of the app. This module imports nothing, because the device's database and the first paint
 * need it. `public/boot.js`, which runs before the bundle, reads `hw.theme` too.
 */
export const storageKeys = {
  /** The id of the member who is signed in on this device. */
  member: 'hw.member',
  /** When the session expired in ms, and the id of the locked member: "1763800000000 <id>". */
  locked: 'hw.locked',
  /** "1" while the session must still be ended on the server. */
  signOutPending: 'hw.leaving',
  /** "1" while the device keeps nothing of the member when the app is closed. */
  keepsNothing: 'hw.keeps-nothing',
  /** "1" while the member has notifications turned on on this device, even if the browser has lost the subscription. */
  push: 'hw.push',
  /** The push categories chosen for this device, separated by commas; absent for all. */
  pushCategories: 'hw.push.categories',
  /** "off" while this device's notifications show no names and texts; absent before the first subscription. */
  pushContent: 'hw.push.content',
  /** The text in the composer of a page that was unloaded, as JSON. */
  draft: 'hw.draft',
  /** The messages that a page was storing when it was unloaded, as JSON. */
  storing: 'hw.storing',
  /** Changes to the own profile that are not saved yet, as JSON. */
  profileDraft: 'hw.profile-draft',
  /** The pulse of a day that is not saved yet, as JSON. */
  pulseDraft: 'hw.pulse-draft',
  /** "off" while the member does not want to see the streak of the Love Pulse. */
  pulseStreak: 'hw.pulse-streak',
  /** The member's unfinished story for the community board, as JSON. */
  storyDraft: 'hw.story-draft',
  /** "1" once the invitation to the guided first run was dismissed. */
  startDismissed: 'hw.start-dismissed',
  /** The sign-up form, and when its code was mailed, as JSON. */
  signUp: 'hw.sign-up',
  /** Until when the code of an invitation link counts, in ms, and the code: "1763800000000 ABCD2345". */
  invitation: 'hw.ref',
  /** Until when this device cannot sign up because of the age, in ms. */
  ageWait: 'hw.age-wait',
  /** The address to which a code for signing in was mailed, and when, as JSON. */
  signIn: 'hw.sign-in',
  /** "1" once Discover was opened: its introduction is then one line. */
  discoverSeen: 'hw.discover-seen',
  /** When installing the app was first offered, in ms; "no" once the offer was dismissed. */
  installOffered: 'hw.install-offered',
  /** The chosen theme; absent while the app follows the device. */
  theme: 'hw.theme',
  /** "off" while the single keys of the admin screens are turned off. */
  adminKeys: 'hw.admin-keys',
  /** "off" while a moderator wants to see pictures at once, without the blur. */
  adminVeil: 'hw.admin-veil',
  /** The last response with the figures of the safety center, as JSON. It has no data of members. */
  safety: 'hw.safety',
  /** The emoji picked last, as JSON. */
  recentEmoji: 'hw.recent-emoji',
  /** The playback speed of recordings. */
  speed: 'hw.speed',
} as const;

/** The keys with what the member is writing, which a device that keeps nothing must not have. */
export const draftKeys: readonly string[] = [
  storageKeys.draft,
  storageKeys.storing,
  storageKeys.profileDraft,
  storageKeys.pulseDraft,
  storageKeys.storyDraft,
];

/** The keys that signing out does not remove: they belong to the device, not to the member. */
export const deviceKeys: readonly string[] = [
  storageKeys.theme,
  storageKeys.speed,
  storageKeys.signOutPending,
  storageKeys.ageWait,
];

/**
 * Whether the member's data is in the memory of each page only. Neither messages nor drafts may be written to any store
 * of the device then.
 */
export const keepsNothing = (): boolean => localStorage.getItem(storageKeys.keepsNothing) !== null;

/** Returns the id of the member signed in on this device, according to the device. */
export function deviceMember(): string | null {
  return localStorage.getItem(storageKeys.member);
}

/** Runs `work`, which may clear the browser's storage, and stores the chosen theme again. */
export async function preserveTheme(work: () => Promise<void>): Promise<void> {
  const theme = localStorage.getItem(storageKeys.theme);
  await work();
  if (theme) localStorage.setItem(storageKeys.theme, theme);
}
