import { afterEach, expect, it } from 'vitest';
import { keepingTheme, nextTheme, setTheme } from './theme.ts';

afterEach(() => localStorage.clear());

it('cycles light, dark, taco, light', () => {
  expect(nextTheme('light')).toBe('dark');
  expect(nextTheme('dark')).toBe('taco');
  expect(nextTheme('taco')).toBe('light');
});

it('shows and remembers a choice', () => {
  setTheme('taco');
  expect(document.documentElement.dataset.theme).toBe('taco');
  expect(localStorage.getItem('hw.theme')).toBe('taco');
});

it('keeps the theme when everything else is wiped', async () => {
  setTheme('dark');
  localStorage.setItem('hw.member', '7');
  await keepingTheme(async () => localStorage.clear());
  expect({ ...localStorage }).toEqual({ 'hw.theme': 'dark' });
});

it('keeps nothing where nothing was chosen', async () => {
  await keepingTheme(async () => localStorage.clear());
  expect(localStorage).toHaveLength(0);
});
