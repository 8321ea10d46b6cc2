// Runs before the first paint: the theme chosen on this device, else the one the device prefers.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('hw.theme');
  } catch {
    // Storage is closed to us: follow the device.
  }
  if (theme !== 'light' && theme !== 'dark' && theme !== 'taco') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset.theme = theme;
})();

// The page's first mark, #boot, still stands long after everything has loaded: the kept shell is broken. Once a
// session, and only when the server answers, the shell is forgotten and loaded anew. What the member has on this
// device, and what waits to be sent, is not touched.
addEventListener('load', () => setTimeout(rescue, 10_000));

async function rescue() {
  try {
    if (!document.getElementById('boot') || sessionStorage.getItem('hw.rescued')) return;
    const answer = await fetch('/healthz', { cache: 'no-store' });
    if (!answer.ok) return;
    sessionStorage.setItem('hw.rescued', '1');
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith('workbox-precache')) await caches.delete(name);
    }
    location.reload();
  } catch {
    // No server, or no storage: there is nothing better to load.
  }
}
