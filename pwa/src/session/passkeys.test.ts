import { beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '@/api/types.ts';
import { leaveSignIn, PasskeyCancelled, signalDetails, signalRemoved, signInByPasskey } from './passkeys.ts';

const library = vi.hoisted(() => ({ start: vi.fn(), cancel: vi.fn() }));
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: library.start,
  WebAuthnAbortService: { cancelCeremony: library.cancel },
}));

const challenge = vi.hoisted(() => vi.fn());
vi.mock('@/api/client.ts', () => ({
  api: { POST: challenge },
  unwrap: (call: Promise<unknown>) => call,
}));

beforeEach(() => {
  vi.resetAllMocks();
  challenge.mockResolvedValue({ id: '1', options: {} });
});

test('leaving the sign-in ends a request that waits in the address field', async () => {
  const picked = Promise.withResolvers<never>();
  library.start.mockReturnValue(picked.promise);
  library.cancel.mockImplementation(() =>
    picked.reject(Object.assign(new Error('aborted'), { name: 'AbortError' })),
  );
  const result = signInByPasskey({ autofill: true });
  await vi.waitFor(() => expect(library.start).toHaveBeenCalled());
  leaveSignIn();
  await expect(result).rejects.toBeInstanceOf(PasskeyCancelled);
});

test('a request whose challenge arrives after the sign-in was left is not shown', async () => {
  const response = Promise.withResolvers<{ id: string; options: object }>();
  challenge.mockReturnValue(response.promise);
  const result = signInByPasskey({ autofill: true });
  leaveSignIn();
  response.resolve({ id: '1', options: {} });
  await expect(result).rejects.toBeInstanceOf(PasskeyCancelled);
  expect(library.start).not.toHaveBeenCalled();
});

test('a browser that cannot offer passkeys in the field is no failure, and one that cannot use them is', async () => {
  library.start.mockRejectedValue(Object.assign(new Error('no authenticator'), { name: 'UnknownError' }));
  await expect(signInByPasskey({ autofill: true })).rejects.toBeInstanceOf(PasskeyCancelled);
  await expect(signInByPasskey()).rejects.toThrow('Your browser could not use a passkey.');
});

test('leaving a screen without a pending request ends none', async () => {
  library.start.mockResolvedValue({});
  await signInByPasskey();
  leaveSignIn();
  expect(library.cancel).not.toHaveBeenCalled();
});

test('the passkey manager hears of a removed passkey and a new address, where the browser can tell it', async () => {
  const me = { id: '00ff10fb-0000-4000-8000-0000000000fe', email: 'new@example.test', fullName: 'Ann' } as Me;
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  await signalRemoved('Y3JlZA');
  await signalDetails(me);

  const told = vi.fn();
  const methods = { signalUnknownCredential: told, signalCurrentUserDetails: told };
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, methods),
  );
  await signalRemoved('Y3JlZA');
  await signalDetails(me);
  expect(told.mock.calls).toEqual([
    [{ rpId: 'localhost', credentialId: 'Y3JlZA' }],
    [{ rpId: 'localhost', userId: 'AP8Q-wAAQACAAAAAAAAA_g', name: 'new@example.test', displayName: 'Ann' }],
  ]);
  vi.unstubAllGlobals();
});
