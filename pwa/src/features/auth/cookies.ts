const PROBE = 'hw-probe=1';

/** Whether the browser refuses cookies, without which nobody stays signed in. navigator.cookieEnabled does not tell. */
export function refusesCookies(): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where storage is blocked
  document.cookie = `${PROBE}; path=/; SameSite=Lax`;
  const isStored = document.cookie.includes(PROBE);
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = 'hw-probe=; path=/; max-age=-1; SameSite=Lax';
  return !isStored;
}
