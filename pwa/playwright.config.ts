import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/support/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/template.ts',
  fullyParallel: true,
  forbidOnly: true,
  // One more than CI's processors, because tests of recordings, timers and a stopped server leave one idle.
  workers: 3,
  // Long, because a busy machine records a video slowly.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  // The other engines first: each is one long test, which would end last.
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
    // Blocked, because installing the worker takes longer than most tests; some allow it (support/phones.ts).
    serviceWorkers: 'block',
    // A trace of every step takes a third of the time; turn it on if the screenshot does not explain a failure.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
