/** Passkeys. The library is loaded when one is used. */

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api, unwrap } from '@/api/client.ts';
import { describeError, MemberError } from '@/api/errors.ts';
import type { Me, Passkey } from '@/api/types.ts';

/** The member closed the browser's dialog, or another request replaced this one. */
export class PasskeyCancelled extends Error {}

/** Returns the text about a failure for the member; none after they closed the browser's dialog. */
export const describePasskeyFailure = (failure: unknown): string =>
  failure instanceof PasskeyCancelled ? '' : describeError(failure);

const loadLibrary = () => import('@simplewebauthn/browser');

/** Whether the browser has passkeys for this page: not on insecure pages, and not at an IP address. */
export function canUsePasskeys(host = location.hostname): boolean {
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  return typeof PublicKeyCredential === 'function' && !isAddress;
}

/** Runs a request to the browser. Throws PasskeyCancelled when the member closed the dialog. */
async function ask<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (failure) {
    const name = failure instanceof Error ? failure.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled();
    if (name === 'InvalidStateError')
      throw new MemberError('This device already has a passkey for your account.');
    throw new MemberError('Your browser could not use a passkey. Please try another way.');
  }
}

/** The requests for a sign-in on this page, which has no session yet. */
const signIns = {
  /** How often a screen with a pending request was left. */
  left: 0,
  /** The requests that wait for the member. */
  waiting: 0,
};

/**
 * Ends the requests for a sign-in of a screen that the member leaves. A pending request for the address field would make
 * the next request to a passkey fail.
 */
export function leaveSignIn(): void {
  signIns.left++;
  if (signIns.waiting > 0)
    void loadLibrary().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
}

/**
 * Asks the browser for a signature. With `autofill` it resolves when the member picks a passkey in the address field. No member
 * has asked for this offer, so every failure of it is a PasskeyCancelled.
 */
async function sign(options: unknown, autofill = false) {
  const { startAuthentication } = await loadLibrary();
  return ask(() =>
    startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: autofill,
    }),
  ).catch((failure: unknown) => {
    throw autofill ? new PasskeyCancelled() : failure;
  });
}

/** Adds a passkey of this device. An admin without a second factor needs the setup code. */
export async function addPasskey(setupCode?: string): Promise<Passkey> {
  const { id, options } = await unwrap(api.POST('/api/auth/passkeys/challenge', { body: { setupCode } }));
  const { startRegistration } = await loadLibrary();
  const credential = await ask(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  );
  return unwrap(api.POST('/api/auth/passkeys', { body: { challengeId: id, credential, setupCode } }));
}

/** Confirms the member's identity by a passkey, for changes of the next 10 minutes, and an admin's rights. */
export async function proveByPasskey(): Promise<void> {
  const { id, options } = await unwrap(api.POST('/api/auth/proof/challenge'));
  const credential = await sign(options);
  await unwrap(api.POST('/api/auth/proof', { body: { passkey: { challengeId: id, credential } } }));
}

/** Signs in by a passkey. */
export async function signInByPasskey({ autofill = false } = {}): Promise<Me> {
  const before = signIns.left;
  const { id, options } = await unwrap(api.POST('/api/auth/login/challenge'));
  await loadLibrary();
  if (signIns.left !== before) throw new PasskeyCancelled();
  signIns.waiting++;
  const credential = await sign(options, autofill).finally(() => signIns.waiting--);
  return unwrap(api.POST('/api/auth/login/passkey', { body: { challengeId: id, credential } }));
}

/** Whether the browser offers passkeys in the address field. */
export async function canAutofillPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  const { browserSupportsWebAuthnAutofill } = await loadLibrary();
  return browserSupportsWebAuthnAutofill();
}

/** What browsers have lately to tell the passkey manager what has changed; TypeScript does not know it yet. */
type Signals = {
  signalUnknownCredential?(removed: { rpId: string; credentialId: string }): Promise<void>;
  signalCurrentUserDetails?(details: {
    rpId: string;
    userId: string;
    name: string;
    displayName: string;
  }): Promise<void>;
};

const signals = () => (canUsePasskeys() ? (PublicKeyCredential as Signals) : {});

/** Lets the passkey manager hide a passkey that was removed, where the browser can. */
export async function signalRemoved(credentialId: string): Promise<void> {
  await signals().signalUnknownCredential?.({ rpId: location.hostname, credentialId });
}

/** Lets the passkey manager show the member's new address, where the browser can. The user handle is the id's bytes. */
export async function signalDetails({ id, email, fullName }: Me): Promise<void> {
  const bytes = (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));
  const userId = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const details = { rpId: location.hostname, userId, name: email, displayName: fullName };
  await signals().signalCurrentUserDetails?.(details);
}
