import type { Page } from '@playwright/test';
import {
  bubbles,
  composer,
  join,
  match,
  newPhone,
  openConversation,
  sendMessage,
  ticks,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** What people reported of other products, as docs/field-cases.md lists them. */

const listed = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(name) });

test('a text written for one match never stands in the field of another, and none typed right after sending is lost', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const phoneC = await newPhone(browser, server.url);
  const ann = await join(phoneA, server, 'Ann Drafts');
  const ben = await join(phoneB, server, 'Ben Drafts');
  const cleo = await join(phoneC, server, 'Cleo Drafts');
  await match(phoneA, ann, phoneB, ben);
  await match(phoneA, ann, phoneC, cleo);
  const page = await openConversation(phoneA, cleo);
  await page.setViewportSize({ width: 1280, height: 800 });
  await sendMessage(page, 'hello Cleo');
  await page.goto(`/messages/${ben.id}`);
  await composer(page).fill('sent to Ben');
  await composer(page).press('Enter');
  await composer(page).pressSequentially('typed at once');
  await expect(ticks(page, 'sent')).toBeVisible();
  await expect(composer(page)).toHaveValue('typed at once');
  await composer(page).fill('only for Ben');
  await listed(page, 'Cleo').first().click();
  await expect(page).toHaveURL(new RegExp(cleo.id));
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByRole('main')).toContainText('hello Cleo');
  await composer(page).press('Enter');
  await page.goto(`/messages/${ben.id}`);
  await expect(composer(page)).toHaveValue('only for Ben');
  expect((await bubbles(page)).join()).not.toContain('only for Ben');
  await phoneC.close();
});

test('the count of unread messages goes with the one who wrote them: deleted, blocked', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const phoneC = await newPhone(browser, server.url);
  const ann = await join(phoneA, server, 'Ann Counts');
  const ben = await join(phoneB, server, 'Ben Counts');
  const cleo = await join(phoneC, server, 'Cleo Counts');
  await match(phoneA, ann, phoneB, ben);
  await match(phoneA, ann, phoneC, cleo);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  const messages = page
    .getByRole('navigation')
    .getByRole('link', { name: /^Messages/ })
    .first();
  await sendMessage(await openConversation(phoneB, ann), 'from Ben');
  await sendMessage(await openConversation(phoneC, ann), 'from Cleo');
  await expect(messages).toContainText('(2 unread)');
  await phoneC.request.post('/api/blocks', { data: { userId: ann.id } });
  await expect(messages).toContainText('(1 unread)');
  await server.query(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, [ben.id]);
  await page.reload();
  await expect(messages).not.toContainText('unread');
  await phoneC.close();
});
