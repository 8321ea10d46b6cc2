/** The sessionStorage key of the invitation code of the link that opened this tab. */
const STORAGE_KEY = 'hw.ref';

/** The format of an invitation code; other values are ignored. */
const CODE_PATTERN = /^[a-z0-9]{6,20}$/i;

/** Stores the invitation code of the current address and removes it from the address. */
export function storeInvitation(): void {
  const address = new URL(location.href);
  const code = address.searchParams.get('ref');
  if (code === null) return;
  if (CODE_PATTERN.test(code)) sessionStorage.setItem(STORAGE_KEY, code);
  address.searchParams.delete('ref');
  history.replaceState(history.state, '', address.pathname + address.search + address.hash);
}

export function invitation(): string | undefined {
  return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
}

/** Call after sign-up: the code is used once. */
export function removeInvitation(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
