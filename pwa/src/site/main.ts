/** The script of the public pages. They can be read without it. */

import { storageKeys } from '@/base/storage.ts';
import { storeInvitation } from '@/session/invitation.ts';
import { paths } from '@/session/paths.ts';
import './site.css';

/**
 * Opens the app instead of the landing page on a device with a member: one whose session has expired, whose data is
 * locked, or whose sign-out has not reached the server. Also when the page comes back from the back/forward cache.
 */
function leaveToApp(): void {
  const { member, locked, signOutPending } = storageKeys;
  const isMembers = [member, locked, signOutPending].some((key) => localStorage.getItem(key) !== null);
  if (isMembers && location.pathname === paths.home) location.replace(paths.homeOfApp);
}

/** Follows the theme that the device prefers while none is chosen here. */
function followDeviceTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (localStorage.getItem(storageKeys.theme) === null)
      document.documentElement.dataset.theme = matches ? 'dark' : 'light';
  });
}

try {
  storeInvitation();
  leaveToApp();
  followDeviceTheme();
  addEventListener('pageshow', ({ persisted }) => persisted && leaveToApp());
} catch {
  // The storage is not available: the page is only read.
}
