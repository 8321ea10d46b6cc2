import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/support/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/template.ts',
  fullyParallel: true,
  forbidOnly: true,
  // One more than CI has processors: recordings, timers and a server that is away leave one idle.
  workers: 3,
  // Patience costs nothing when all is well, and a busy machine records a video slowly.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  // The other engines first: each is one long test, which would be the last to end.
  projects: [
    { name: 'firefox', testMatch: '*.engine.ts' },
    { name: 'webkit', testMatch: '*.engine.ts' },
    { name: 'chromium' },
  ],
  use: {
    launchOptions,
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Installing the app costs more than most tests; those that are about it ask for it (support/phones.ts).
    serviceWorkers: 'block',
    // A trace of every step costs a third of the time; ask for it when a failure is not plain from its picture.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
