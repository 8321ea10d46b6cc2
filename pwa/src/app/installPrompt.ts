/** The browser's install prompt, which can be shown once. */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> };

/** The deferred prompt. Browsers fire it once per page, often before the rest of the app has loaded. */
export const deferredPrompt: { prompt: InstallPrompt | null } = { prompt: null };

/** Prevents the browser from prompting on load and stores the prompt for install.ts. */
export function deferInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    deferredPrompt.prompt = event as InstallPrompt;
  });
}
