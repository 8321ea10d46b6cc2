/**
 * The invitation code of the link by which a visitor came. It is stored for this site only, until the sign-up, so that
 * it survives the installation of the app where both share a storage: on Android and computers. An iPhone's installed
 * app has a storage of its own; its manifest there contains the code, so that the first start brings it along.
 */
import { deviceMember, storageKeys } from './storage.ts';

/** The format of an invitation code; other values are ignored. */
const CODE_PATTERN = /^[a-z0-9]{6,20}$/i;

/** An invitation by mail expires as late. */
const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Stores the invitation code of the current address and removes it from the address. A device with a signed-in member
 * stores none: that member has an account.
 */
export function storeInvitation(): void {
  const address = new URL(location.href);
  const code = address.searchParams.get('ref');
  if (code !== null) {
    if (CODE_PATTERN.test(code) && deviceMember() === null)
      localStorage.setItem(storageKeys.invitation, `${Date.now() + LIFETIME_MS} ${code}`);
    address.searchParams.delete('ref');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  }
  const stored = invitation();
  if (stored && 'standalone' in navigator) passToInstalledApp(stored);
}

/** Lets the app that is installed from this page start with the code. The server writes it into the manifest. */
function passToInstalledApp(code: string): void {
  document
    .querySelector('link[rel=manifest]')
    ?.setAttribute('href', `/manifest.webmanifest?ref=${encodeURIComponent(code)}`);
}

export function invitation(): string | undefined {
  const [expiresAt, code] = localStorage.getItem(storageKeys.invitation)?.split(' ') ?? [];
  return Number(expiresAt) > Date.now() ? code : undefined;
}

/** Call after sign-up: the code is used once. */
export function removeInvitation(): void {
  localStorage.removeItem(storageKeys.invitation);
}
