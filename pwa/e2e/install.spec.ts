import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { wholeBrowser } from './support/browser.ts';
import { withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

// A new context counts as incognito, where nothing can be installed: hence a profile on disk.
async function withProfile(run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(path.join(tmpdir(), 'hw-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...wholeBrowser.launchOptions,
    ...withWorker,
  });
  try {
    await run(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function installabilityErrors(context: BrowserContext, page: Page): Promise<string[]> {
  const cdp = await context.newCDPSession(page);
  const { installabilityErrors: errors } = await cdp.send('Page.getInstallabilityErrors');
  return errors.map((error) => error.errorId);
}

test('the app can be installed', async ({ server }) => {
  await withProfile(async (context) => {
    const page = await context.newPage();
    // The landing page, which is not the app, installs no worker.
    await page.goto(`${server.url}/signup`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await expect.poll(() => installabilityErrors(context, page)).toEqual([]);
  });
});

test('a manifest without icons is reported as an installability error', async ({ server }) => {
  await withProfile(async (context) => {
    const page = await context.newPage();
    await context.route('**/*.webmanifest', async (route) => {
      const manifest = (await (await route.fetch()).json()) as Record<string, unknown>;
      await route.fulfill({ json: { ...manifest, icons: [] } });
    });
    await page.goto(server.url);
    await expect.poll(() => installabilityErrors(context, page)).not.toEqual([]);
  });
});
