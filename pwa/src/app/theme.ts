import { storageKeys } from '@/session/storage.ts';
import { createStore } from '@/ui';

/** In the order of the switch. The first visit follows the device until the member chooses. */
export const themes = ['light', 'dark', 'taco'] as const;
export type Theme = (typeof themes)[number];

function isTheme(value: string | null | undefined): value is Theme {
  return themes.includes(value as Theme);
}

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(storageKeys.theme);
    return isTheme(value) ? value : null;
  } catch {
    return null;
  }
}

function preferred(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The theme that `public/boot.js` put on the page before this module loaded. */
function initial(): Theme {
  const value = document.documentElement.dataset.theme;
  return isTheme(value) ? value : 'light';
}

const shown = createStore(initial());

export const useTheme = shown.useValue;

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  paintBrowserFrame();
  shown.set(theme);
}

/** The browser's own bars take the colour of the paper. */
function paintBrowserFrame(): void {
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', paper);
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKeys.theme, theme);
  show(theme);
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'light';
}

/** Follows the device until a theme is chosen, and a choice made in another tab. Call once, at start. */
export function startTheme(): void {
  paintBrowserFrame();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (!stored()) show(preferred());
  });
  addEventListener('storage', (event) => {
    if (event.key === storageKeys.theme) show(stored() ?? preferred());
  });
}
