/** The code of the link by which a visitor came: kept in this tab until they sign up. */
const invitedKey = 'hw.ref';

/** Codes are short and plain; what else stands there is none. */
const codeForm = /^[a-z0-9]{6,20}$/i;

/** Takes the code from the address, which then looks as without it. */
export function keepInvitation(): void {
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

/** Signed up: whoever signs up next in this tab came by themselves. */
export function forgetInvitation(): void {
  sessionStorage.removeItem(invitedKey);
}
