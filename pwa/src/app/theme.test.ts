import { afterEach, expect, it } from 'vitest';
import { nextTheme, setTheme } from './theme.ts';

afterEach(() => localStorage.clear());

it('cycles light, dark, taco, light', () => {
  expect(nextTheme('light')).toBe('dark');
  expect(nextTheme('dark')).toBe('taco');
  expect(nextTheme('taco')).toBe('light');
});

it('applies and stores the selected theme', () => {
  setTheme('taco');
  expect(document.documentElement.dataset.theme).toBe('taco');
  expect(localStorage.getItem('hw.theme')).toBe('taco');
});
