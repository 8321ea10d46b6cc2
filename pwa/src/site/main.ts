/** The script of the public pages. They can be read without it. */

import { storageKeys } from '@/base/storage.ts';
import { withDeviceLock } from '@/offline/device/deviceLock.ts';
import { deleteFileCaches } from '@/offline/store/fileCaches.ts';
import { DB_PREFIX } from '@/offline/store/rows.ts';
import { storeInvitation } from '@/session/invitation.ts';
import { paths } from '@/session/paths.ts';
import './site.css';

/** Whether this device has a member: one whose session has expired, whose data is locked, or whose sign-out has not reached the server. */
function hasMember(): boolean {
  const { member, locked, signOutPending } = storageKeys;
  return [member, locked, signOutPending].some((key) => localStorage.getItem(key) !== null);
}

/** Opens the app instead of the landing page on a member's device, also when the page comes back from the back/forward cache. */
function leaveToApp(): void {
  if (hasMember() && location.pathname === paths.home) location.replace(paths.homeOfApp);
}

/**
 * Deletes what is left of a member who has signed out by the address `/api/logout`: the page from which they went there
 * still ran when Clear-Site-Data deleted everything, and may have stored late responses after it.
 */
const deleteLeftovers = () =>
  withDeviceLock(async () => {
    // In the lock, so that the data of a member who signs in in another tab meanwhile stays.
    if (hasMember()) return;
    for (const { name } of (await indexedDB.databases?.()) ?? [])
      if (name?.startsWith(DB_PREFIX)) indexedDB.deleteDatabase(name);
    await deleteFileCaches();
  });

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
  deleteLeftovers().catch(() => undefined);
} catch {
  // The storage is not available: the page is only read.
}
