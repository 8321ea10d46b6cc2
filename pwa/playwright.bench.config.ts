import { defineConfig } from '@playwright/test';
import { benchOptions } from './e2e/support/browser.ts';
import tests from './playwright.config.ts';

/** The browser measurements of scripts/bench, which run one after the other. */
export default defineConfig({
  ...tests,
  projects: [{ name: 'bench', testMatch: '*.bench.ts' }],
  workers: 1,
  use: { ...tests.use, launchOptions: benchOptions },
});
