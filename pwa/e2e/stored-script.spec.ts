import type { APIResponse, Browser, BrowserContext, Page } from '@playwright/test';
import { joinAsAdmin } from './support/admin.ts';
import { join, newPhone } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Text that runs a script in a page which treats it as HTML. */
const attack = (field: string) => `"><img src=x onerror=ran=1><script>ran=1</script>${field}`;

/** Asserts that the page shows the text as text: no element was made of it, and the browser had nothing to block. */
async function expectText(page: Page, ...fields: string[]): Promise<void> {
  for (const field of fields)
    await expect(
      page.getByText(attack(field)).filter({ visible: true }).first(),
      `${field} at ${page.url()}`,
    ).toBeVisible();
  expect(
    await page.evaluate(() => ({
      ran: 'ran' in globalThis,
      elements: document.querySelectorAll('img[src="x"], [onerror]').length,
      violations: (globalThis as unknown as { violations: string[] }).violations,
    })),
  ).toEqual({ ran: false, elements: 0, violations: [] });
}

/** In each page: collects what the content security policy blocks. */
async function recordViolations(...contexts: BrowserContext[]): Promise<void> {
  for (const context of contexts)
    await context.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(globalThis, { violations });
      addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    });
}

async function stored(...responses: Promise<APIResponse>[]): Promise<void> {
  for (const response of await Promise.all(responses))
    expect(response.ok(), `${response.url()}: ${await response.text()}`).toBe(true);
}

test('a script in any text of a member runs nowhere: profile, like, messages, date, report and admin', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  await recordViolations(phoneA, phoneB);
  const eve = await join(phoneA, server, attack('name'), {
    bio: attack('bio'),
    loveReflection: attack('reflection'),
  });
  const ben = await join(phoneB, server, 'Ben Calm');
  const [a, b] = [phoneA.request, phoneB.request];
  const prompts = [{ question: 'Together we could', answer: attack('answer') }];
  await stored(a.patch('/api/users/me', { data: { prompts, occupation: attack('occupation') } }));
  await stored(
    a.post('/api/likes', { data: { toUserId: ben.id, likeType: 'super_like', comment: attack('comment') } }),
  );

  const page = await phoneB.newPage();
  await page.goto('/matches/likes');
  await expectText(page, 'comment');
  await page.goto(`/profile/${eve.id}`);
  await expectText(page, 'bio', 'reflection', 'answer', 'occupation');

  await stored(b.post('/api/likes', { data: { toUserId: eve.id, likeType: 'like' } }));
  await stored(a.post('/api/messages', { data: { recipientId: ben.id, content: attack('message') } }));
  const [{ id: conversation }] = (await (await a.get(`/api/conversations?with=${ben.id}`)).json()) as [
    { id: string },
  ];
  const date = {
    clientId: crypto.randomUUID(),
    place: attack('place'),
    note: attack('note'),
    at: new Date(Date.now() + 86_400_000).toISOString(),
    timeZone: 'America/New_York',
  };
  await stored(a.post(`/api/conversations/${conversation}/dates`, { data: date }));
  await page.goto('/messages');
  await expectText(page);
  await page.goto(`/messages/${eve.id}`);
  await expectText(page, 'message', 'place', 'note');
  await page.goto('/dates');
  await expectText(page, 'place');
  const own = await phoneA.newPage();
  await own.goto('/profile');
  await expectText(own, 'bio');

  const report = { userId: eve.id, reason: 'threat', description: attack('report'), place: 'conversation' };
  await stored(b.post('/api/reports', { data: report }));
  const { computer } = await joinAsAdmin(browser, server, 'Ada Calm');
  await recordViolations(computer);
  const desk = await computer.newPage();
  await desk.goto('/admin/dashboard/reports');
  await desk.getByRole('link', { name: attack('name') }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill(attack('reason'));
  await desk.keyboard.press('Enter');
  await expectText(desk, 'report', 'message');
  await desk.goto('/admin/dashboard/audit');
  await expectText(desk, 'reason');
  await desk.goto('/admin/dashboard/users');
  await expectText(desk, 'name');
  await computer.close();
});

/** Writes a story with this end by the API and returns its id. */
async function write(phone: BrowserContext, end: string): Promise<string> {
  const data = {
    title: attack('title'),
    excerpt: attack('summary'),
    content: `${attack('story')}\n\n[link](javascript:ran=1) ![picture](x) ${end}`,
    category: 'advice',
    tags: [attack('x').slice(0, 30)],
  };
  const response = await phone.request.post('/api/community/posts', { data });
  expect(response.status(), await response.text()).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

test('a script in any text of the board runs nowhere: story, comment, reason, issue, queues and plain pages', async ({
  browser,
  ownServer: server,
}) => {
  const [phoneA, phoneB] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const { computer } = await joinAsAdmin(browser, server, 'Ada Calm');
  await recordViolations(phoneA, phoneB, computer);
  await join(phoneA, server, 'Eve Moss');
  await join(phoneB, server, 'Ben Calm');
  const [shown, refused] = [await write(phoneA, 'one'), await write(phoneA, 'two')];
  const desk = await computer.newPage();
  const decide = async (decision: string, id: string) => {
    await stored(
      computer.request.post(`/api/admin/community/posts/${id}/open`, { data: { reason: 'To decide' } }),
    );
    await stored(
      computer.request.post('/api/admin/community/decisions', {
        data: { decision, items: [{ id, version: 1 }], reason: attack('reason') },
      }),
    );
  };

  await desk.goto('/admin/dashboard/community');
  await desk.goto(`/admin/dashboard/community/${refused}`);
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await desk.keyboard.press('Enter');
  await expectText(desk, 'title', 'summary', 'story');
  await decide('approve', shown);
  await decide('reject', refused);
  const comment = { clientId: crypto.randomUUID(), content: attack('comment') };
  await stored(
    phoneB.request.post(`/api/community/posts/${shown}/comments`, { data: comment }),
    phoneB.request.post('/api/community/issues', {
      data: { kind: 'technical', description: attack('issue') },
    }),
  );

  const page = await phoneB.newPage();
  await page.goto('/community');
  await expectText(page, 'title', 'summary');
  await page.getByRole('button', { name: /^Read More/ }).click();
  await expectText(page, 'story');
  await page.goto(`/community/${shown}`);
  await expectText(page, 'title', 'summary', 'story', 'comment');
  const own = await phoneA.newPage();
  await own.goto('/community/mine');
  await expectText(own, 'title', 'summary', 'reason');
  await own.goto(`/community/${refused}`);
  await expectText(own, 'story', 'reason');

  await desk.goto('/admin/dashboard/community');
  await desk.getByRole('combobox', { name: 'Show' }).selectOption('All comments');
  await desk.getByRole('link', { name: /Ben Calm/ }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await desk.keyboard.press('Enter');
  await expectText(desk, 'comment');
  await desk.goto('/admin/dashboard/reports');
  await desk.getByRole('link', { name: /Issue: something does not work/ }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('A member needs help');
  await desk.keyboard.press('Enter');
  await expectText(desk, 'issue');
  await expectPlainText(browser, server, shown);
  await Promise.all([phoneA.close(), phoneB.close(), computer.close()]);
});

/** Asserts that the server's own pages show the texts as text, without the app. */
async function expectPlainText(browser: Browser, server: Server, post: string): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, ...fields] of [
    ['/community', 'title', 'summary'],
    [`/community/${post}`, 'title', 'summary', 'story', 'comment'],
  ] as const) {
    await page.goto(path);
    for (const field of fields) await expect(page.getByText(attack(field)).first(), field).toBeVisible();
    await expect(page.locator('#boot :is(script, img), [onerror], a[href^=javascript]')).toHaveCount(0);
  }
  await context.close();
}
