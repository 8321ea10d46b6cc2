import { storageKeys } from '@/base/storage.ts';
import { createStore } from '@/base/store.ts';

/** The themes in the order of the switch. Until the member selects one, the app follows the device. */
export const themes = ['light', 'dark', 'taco'] as const;
export type Theme = (typeof themes)[number];

function isTheme(value: string | null | undefined): value is Theme {
  return themes.includes(value as Theme);
}

function storedTheme(): Theme | null {
  try {
    const value = localStorage.getItem(storageKeys.theme);
    return isTheme(value) ? value : null;
  } catch {
    return null;
  }
}

function preferredTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Returns the theme that `public/boot.js` has set before this module loaded. */
function initialTheme(): Theme {
  const value = document.documentElement.dataset.theme;
  return isTheme(value) ? value : 'light';
}

const currentTheme = createStore(initialTheme());

export const useTheme = currentTheme.useValue;

function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  setThemeColor();
  currentTheme.set(theme);
}

/** Sets the colour of the browser's bars to the page's background. */
function setThemeColor(): void {
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', paper);
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKeys.theme, theme);
  applyTheme(theme);
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'light';
}

/** Follows the device's theme until one is selected, and changes in other tabs. Call it once, at start. */
export function startTheme(): void {
  setThemeColor();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (!storedTheme()) applyTheme(preferredTheme());
  });
  addEventListener('storage', (event) => {
    if (event.key === storageKeys.theme) applyTheme(storedTheme() ?? preferredTheme());
  });
}
