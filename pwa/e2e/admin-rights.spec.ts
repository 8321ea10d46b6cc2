/** Rights that end, sessions that admins end, and what the settings and the audit log of the dashboard lead to. */
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { findBrokenWords } from './support/layout.ts';
import { join, newPhone } from './support/phones.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

for (const { title, end } of [
  { title: 'revoked', end: (server: Server, email: string) => server.run('admin', 'revoke', email) },
  {
    title: 'reset',
    end: (server: Server, email: string) => server.run('admin', 'reset-factor', email),
  },
])
  test(`an admin whose rights are ${title} on the command line loses the open dashboard`, async ({
    browser,
    server,
  }) => {
    const { computer, admin } = await joinAsAdmin(browser, server, `Mo ${title}`);
    const page = await computer.newPage();
    const identified = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto('/admin/dashboard/users');
    await expect(page.getByRole('table')).toBeVisible();
    await identified;
    end(server, admin.email);
    // Without a request of the page: the lists are refreshed once a minute.
    await expect(page.getByRole('navigation', { name: 'Admin' })).toHaveCount(0);
    await expect(page.getByRole('table')).toHaveCount(0);
    expect((await computer.request.get('/api/admin/reports')).status()).toBe(401);
    await computer.close();
  });

test('an admin sees on which devices a member is signed in, and signs them out', async ({
  browser,
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Stolen');
  const phone = await phoneA.newPage();
  await phone.goto('/messages');
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeVisible();
  const { computer } = await joinAsAdmin(browser, server, 'Mo Ender');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/admin/dashboard/users/${ann.id}`);
  await expect(page.getByText(/^Chrome on /)).toBeVisible();
  await expectUsable(page, 'sessions');
  await page.getByRole('button', { name: 'End all sessions' }).click();
  const question = page.getByRole('dialog', { name: 'Sign Ann Stolen out on all devices?' });
  await question.getByRole('button', { name: 'End all sessions' }).click();
  await expect(question.getByText('Please say why, for the audit log.')).toBeVisible();
  await expectUsable(page, 'end-sessions');
  await question.getByLabel('Reason').fill('A stolen phone');
  await question.getByRole('button', { name: 'End all sessions' }).click();
  await expect(page.getByText('All sessions ended')).toBeVisible();
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeHidden();
  expect((await phoneA.request.get('/api/auth/user')).status()).toBe(401);

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Name or email').fill('nobody of this name');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('Nobody has this name or email.')).toBeVisible();
  await page.getByLabel('Name or email').fill('Ann Stol');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'About Ann Stolen' }).click();
  await expect(page.getByRole('row')).toHaveCount(2); // with the heading
  await expect(page.getByRole('row', { name: /member\.end_sessions/ })).toContainText('A stolen phone');
  await page.getByLabel('Name or email').fill('Mo Ender');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('button', { name: 'By Mo Ender' })).toBeVisible();
  await expectUsable(page, 'audit-search');
  await page.getByRole('button', { name: 'By Mo Ender' }).click();
  await expect(page.getByRole('row', { name: /member\.end_sessions/ })).toBeVisible();
  await computer.close();
});

test('an admin opens the job pages by a link that works once, and what they change is in the audit log', async ({
  browser,
}) => {
  const server = await Server.launch({ METRICS_ADDR: '127.0.0.1:0' });
  const { computer } = await joinAsAdmin(browser, server, 'Mo Jobs');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/settings');
  await page.getByRole('button', { name: 'Get a link to the job pages' }).click();
  const link = page.getByRole('link', { name: /^Open 127\.0\.0\.1:/ });
  await expect(page.getByText(/^The link works once, within a minute\./)).toBeVisible();
  await expectUsable(page, 'job-pages');
  const address = (await link.getAttribute('href')) ?? '';
  const opened = computer.waitForEvent('page');
  await link.click();
  const jobs = await opened;
  await expect(jobs.getByRole('link', { name: /Queues/ }).first()).toBeVisible();
  await expect(jobs).not.toHaveURL(/token/);
  expect((await computer.request.get(address)).status()).toBe(403);
  const pause = new URL('/riverui/api/queues/push/pause', address).href;
  expect((await computer.request.put(pause)).status()).toBe(200);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Area').selectOption('Background jobs');
  await expect(page.getByRole('row', { name: /jobs\.change/ })).toContainText('/api/queues/push/pause');
  await expect(page.getByRole('row', { name: /jobs\.open/ })).toContainText('Mo Jobs');
  await computer.close();
  await server.remove();
});

test('an admin reads that the job pages are turned off', async ({ browser, server }) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Off');
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/settings');
  await page.getByRole('button', { name: 'Get a link to the job pages' }).click();
  await expect(page.getByText('The job pages are turned off on this server')).toBeVisible();
  await computer.close();
});

test('an admin starts the weekly digest, and reads that it failed and that it was sent', async ({
  browser,
  ownServer: server,
}) => {
  // Far from Monday's run, which would have started this week's digest already.
  await server.query('DELETE FROM digest_runs');
  const { computer } = await joinAsAdmin(browser, server, 'Mo Digest');
  const member = await newPhone(browser, server.url);
  await join(member, server, 'Ann Weekly');
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/settings');
  const send = page.getByRole('button', { name: 'Send it now' });
  await page.route('**/api/admin/send-weekly-digest', (route) =>
    route.fulfill({ status: 500, json: { status: 500, title: 'Internal Server Error' } }),
  );
  await send.click();
  await expect(page.getByText('Failed to Send Digest')).toBeVisible();
  await page.unroute('**/api/admin/send-weekly-digest');
  // A run for few members may be done in the first response.
  await page.route('**/api/admin/send-weekly-digest', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), state: 'done' } });
  });
  await send.click();
  await expect(page.getByText('Weekly Digest Sent')).toBeVisible();
  await member.close();
  await computer.close();
});

test('on a narrow screen the tabs of the dashboard are one row, with the open one in view', async ({
  browser,
  server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Narrow');
  const page = await computer.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/dashboard/audit');
  const tabs = page.getByRole('navigation', { name: 'Admin' });
  await expect(tabs.getByRole('link', { name: 'Audit log' })).toBeInViewport({ ratio: 1 });
  expect((await tabs.boundingBox())?.height).toBeLessThan(60);
  await tabs.getByRole('link', { name: 'Settings' }).click();
  await expect(tabs.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
  await computer.close();
});

test('on a narrow screen the table of members scrolls sideways in its box, with whole words', async ({
  browser,
  server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Maximilian Featherstonehaugh');
  const page = await computer.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/dashboard/users');
  const table = page.getByRole('table');
  await expect(table.getByText('Maximilian Featherstonehaugh')).toBeVisible();
  expect(await table.evaluate(findBrokenWords)).toEqual([]);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await computer.close();
});

test('the fields above the table of members keep their width with text of double size', async ({
  browser,
  server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Fields');
  const page = await computer.newPage();
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/admin/dashboard/users');
  const status = page.getByRole('combobox', { name: 'Status' });
  await expect(status).toBeVisible();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  // In less than 8 rem the arrow leaves no room for the shortest choice.
  expect((await status.boundingBox())?.width).toBeGreaterThanOrEqual(256);
  await computer.close();
});
