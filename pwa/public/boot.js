// Runs before the first paint. Sets the theme selected on this device, else the one that the device prefers.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('hw.theme');
  } catch {
    // The storage is not available: the device's theme is used.
  }
  if (theme !== 'light' && theme !== 'dark' && theme !== 'taco') {
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset.theme = theme;
})();

// If #boot is still in the page long after its load, the cached shell is broken. The cache is then deleted and the page
// reloaded, once a session and only if the server responds. The member's data on this device is not changed.
addEventListener('load', () => setTimeout(reloadWithoutCache, 10_000));

async function reloadWithoutCache() {
  try {
    if (!document.getElementById('boot') || sessionStorage.getItem('hw.cache-deleted')) return;
    const response = await fetch('/healthz', { cache: 'no-store' });
    if (!response.ok) return;
    sessionStorage.setItem('hw.cache-deleted', '1');
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith('workbox-precache')) await caches.delete(name);
    }
    location.reload();
  } catch {
    // The server or the storage is not available.
  }
}
