/** In sessionStorage: the invitation code of the link that opened this tab, until the visitor signs up. */
const invitedKey = 'hw.ref';

/** Anything else in the address is not an invitation code and is ignored. */
const codeForm = /^[a-z0-9]{6,20}$/i;

/** Stores the invitation code of the current address and removes it from the address. */
export function storeInvitation(): void {
  const address = new URL(location.href);
  const code = address.searchParams.get('ref');
  if (code === null) return;
  if (codeForm.test(code)) sessionStorage.setItem(invitedKey, code);
  address.searchParams.delete('ref');
  history.replaceState(history.state, '', address.pathname + address.search + address.hash);
}

export function invitation(): string | undefined {
  return sessionStorage.getItem(invitedKey) ?? undefined;
}

/** Call after sign-up: the code is used once. */
export function removeInvitation(): void {
  sessionStorage.removeItem(invitedKey);
}
