/** The browser's question whether the app may stand on the home screen; it can be asked once. */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> };

/** Kept from the start: browsers offer it once a page, often before the rest of the app has loaded. */
export const kept: { prompt: InstallPrompt | null } = { prompt: null };

/** Not while a page opens: the member is asked when it fits (install.ts). */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    kept.prompt = event as InstallPrompt;
  });
}
