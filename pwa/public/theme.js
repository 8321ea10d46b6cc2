// Sets the theme of a public page before its first paint, as boot.js does for the app.
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
