/**
 * Whether this device keeps what the member reads and writes. On a borrowed one it need not: the database is then in the
 * memory of each page (memory.ts), and the worker, which finds no member, stores nothing either. It lasts until the
 * member changes it or signs out.
 */

import { attempt, stopSession } from '@/base/pageSession.ts';
import { deviceMember, draftKeys, storageKeys } from '@/base/storage.ts';
import { deleteFileCaches } from '../store/fileCaches.ts';
import { withDeviceLock } from './deviceLock.ts';
import { storeDeviceMember } from './marker.ts';
import { closeNotifications, deleteDatabases, memberDatabases, notifyOtherTabs } from './wipe.ts';

/**
 * Sets it before a member signs in, so that nothing of the member is ever stored. The sign-in deletes what the device
 * has stored before; do not offer it while the device is locked for a member. Rejects if the store in memory cannot be
 * loaded.
 */
export async function setKeepsNothingBeforeSignIn(on: boolean): Promise<void> {
  if (!on) return localStorage.removeItem(storageKeys.keepsNothing);
  const { startMemory } = await import('../store/memory.ts');
  startMemory();
  localStorage.setItem(storageKeys.keepsNothing, '1');
}

/**
 * Deletes all that the device has stored of the member, who stays signed in, and sets whether it stores anything from
 * now on. The other tabs start again, and the caller reloads its own: what is in memory is lost.
 */
export const setKeepsNothing = (on: boolean): Promise<void> =>
  withDeviceLock(async () => {
    const member = deviceMember();
    const databases = await memberDatabases().catch((): string[] => []);
    // First, so that code that is still running does not store anything again.
    if (on) localStorage.setItem(storageKeys.keepsNothing, '1');
    else localStorage.removeItem(storageKeys.keepsNothing);
    await stopSession();
    await attempt(() => storeDeviceMember(on ? null : member));
    await deleteDatabases(databases);
    await attempt(() => deleteFileCaches());
    await attempt(closeNotifications);
    for (const key of draftKeys) localStorage.removeItem(key);
    notifyOtherTabs();
  });
