import { type BrowserContext, test as base } from '@playwright/test';
import { logTest } from './eventLog.ts';
import { newPhone } from './phones.ts';
import { Server } from './server.ts';

type Fixtures = {
  /** Two phones on the shared server; `test.use(withWorker)` allows their service worker. */
  phoneA: BrowserContext;
  phoneB: BrowserContext;
  /** A server for this test alone, which may stop, kill and start it. */
  ownServer: Server;
  /** Prints what happened in the pages of a test that fails. */
  eventLog: undefined;
};

/** One server per worker, for tests that do not stop it; see ownServer for the others. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await Server.launch();
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  phoneA: async ({ browser, server, serviceWorkers }, use) => {
    const phone = await newPhone(browser, server.url, { serviceWorkers });
    await use(phone);
    await phone.close();
  },
  phoneB: async ({ browser, server, serviceWorkers }, use) => {
    const phone = await newPhone(browser, server.url, { serviceWorkers });
    await use(phone);
    await phone.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  eventLog: [async ({}, use, info) => logTest(() => use(undefined), info), { auto: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  ownServer: async ({}, use) => {
    const server = await Server.launch();
    await use(server);
    await server.remove();
  },
});

export { expect } from '@playwright/test';
