import type { BrowserContext } from '@playwright/test';
import { Server } from './server.ts';
import { test as base, expect } from './test.ts';

export { expect } from './test.ts';

/** One server with the demo members for all tests of a worker. The tests must not change its data. */
export const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await Server.launch({}, '--demo');
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
});

/** A candidate, and the longest conversation of the demo member. */
export type Ids = { member: string; conversation: string };

export async function signInAsDemo(phone: BrowserContext): Promise<Ids> {
  const response = await phone.request.post('/api/auth/login', {
    data: { email: 'demo@heartward.test', password: 'heartward-demo' },
  });
  expect(response.status(), await response.text()).toBe(200);
  const [candidate] = (await (await phone.request.get('/api/matches/for-you')).json()) as { id: string }[];
  const conversations = (await (await phone.request.get('/api/conversations')).json()) as {
    id: string;
    lastSeq: number;
  }[];
  const long = conversations.sort((a, b) => b.lastSeq - a.lastSeq)[0];
  return { member: candidate?.id ?? '', conversation: long?.id ?? '' };
}
