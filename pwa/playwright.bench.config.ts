import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

/** What scripts/bench measures in the browser: one measurement after the other, with nothing beside it. */
export default defineConfig({
  ...tests,
  projects: [{ name: 'bench', testMatch: '*.bench.ts' }],
  workers: 1,
});
