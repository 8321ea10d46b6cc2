/**
 * The invitation code of the link by which a visitor came, or that the visitor typed. It is stored for this site only, until the sign-up, so that
 * it survives the installation of the app where both share a storage: on Android and computers. An iPhone's installed
 * app has a storage of its own; its manifest there contains the code, so that the first start brings it along.
 */
import { deviceMember, storageKeys } from '@/base/storage.ts';

/** The format of an invitation code; other values are ignored. */
const CODE_PATTERN = /^[a-z0-9]{6,20}$/i;

/** A typed one has the length of the codes that the server makes, at least. */
const TYPED_CODE_PATTERN = /^[A-Z0-9]{8,20}$/;

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
    if (CODE_PATTERN.test(code) && deviceMember() === null) store(code);
    address.searchParams.delete('ref');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  }
  passToInstalledApp();
}

const store = (code: string) =>
  localStorage.setItem(storageKeys.invitation, `${Date.now() + LIFETIME_MS} ${code}`);

/** Returns the code in what a visitor typed or pasted: with gaps, or as a link; undefined if it cannot be one. */
export function findCode(text: string): string | undefined {
  const code = (/[?&]ref=([^&#\s]*)/.exec(text)?.[1] ?? text).replace(/[\s-]+/g, '').toUpperCase();
  return TYPED_CODE_PATTERN.test(code) ? code : undefined;
}

/** Stores the code that a visitor typed, in place of an earlier one; without a code it removes that. */
export function enterInvitation(text: string): void {
  const code = findCode(text);
  if (code) store(code);
  else removeInvitation();
  passToInstalledApp();
}

/** Lets the app that is installed from this page start with the code. The server writes it into the manifest. */
function passToInstalledApp(): void {
  if (!('standalone' in navigator)) return;
  const code = invitation();
  document
    .querySelector('link[rel=manifest]')
    ?.setAttribute('href', `/manifest.webmanifest${code ? `?ref=${encodeURIComponent(code)}` : ''}`);
}

export function invitation(): string | undefined {
  const [expiresAt, code] = localStorage.getItem(storageKeys.invitation)?.split(' ') ?? [];
  return Number(expiresAt) > Date.now() ? code : undefined;
}

/** Call after sign-up: the code is used once. */
export function removeInvitation(): void {
  localStorage.removeItem(storageKeys.invitation);
}
