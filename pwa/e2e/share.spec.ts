import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import {
  composer,
  join,
  match,
  newPhone,
  signInOn,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

test.use(withWorker);

const portrait = readFileSync(new URL('support/portrait.jpg', import.meta.url)).toString('base64');

/** Posts the form that the browser posts to the manifest's address when another app shares with this one. */
async function share(page: Page, fields: Record<string, string>, pictures = 0): Promise<void> {
  await waitForServiceWorker(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(
    ([values, count, base64]) => {
      const form = document.createElement('form');
      Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data' });
      for (const [name, value] of Object.entries(values)) {
        const field = Object.assign(document.createElement('input'), { name, value });
        form.append(field);
      }
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      for (let index = 0; index < count; index++)
        transfer.items.add(new File([bytes], `${index}.jpg`, { type: 'image/jpeg' }));
      const files = Object.assign(document.createElement('input'), { type: 'file', name: 'pictures' });
      files.multiple = true;
      files.files = transfer.files;
      form.append(files);
      document.body.append(form);
      form.submit();
    },
    [fields, pictures, portrait] as const,
  );
}

test('content shared from another app is put into the chosen conversation, and sent only by the member', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Shares');
  const ben = await join(phoneB, server, 'Ben Shares');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await share(page, { text: 'Shall we?', url: 'https://example.test/lake' }, 2);

  await expect(page.getByRole('heading', { name: 'Who is it for?' })).toBeVisible();
  await expect(page).toHaveURL('/share');
  await expect(page.getByRole('img', { name: /^Shared/ })).toHaveCount(2);
  await expect(page.getByText('https://example.test/lake')).toBeVisible();
  await page.reload();
  await expect(page.getByText('https://example.test/lake')).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^Ben/ }).click();

  const tray = page.getByRole('region', { name: 'Pictures to send' });
  await expect(tray.getByRole('img')).toHaveCount(2);
  await tray.getByRole('button', { name: 'Remove all photos' }).click();
  await expect(composer(page)).toHaveValue('Shall we?\nhttps://example.test/lake');
  await page.reload();
  await expect(composer(page)).toHaveValue('Shall we?\nhttps://example.test/lake');
  await expect(tray).toBeHidden();
  expect(await server.query('SELECT 1 FROM messages WHERE sender_id = $1', [ann.id])).toEqual([]);

  await page.goto('/share');
  await expect(page.getByRole('heading', { name: 'Nothing to share' })).toBeVisible();
});

test('a website that shares is named, and replaces nothing that an app shared', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Gets');
  const ben = await join(phoneB, server, 'Ben Gets');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await share(page, { text: 'A lake' });
  await expect(page.getByText('From another app or a website')).toBeVisible();
  await page.route('http://words.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form action="${server.url}/share" enctype="multipart/form-data" method="post">
        <input name="text" value="Buy this"><button>Win</button></form>`,
    }),
  );
  await page.goto('http://words.example/');
  await page.getByRole('button', { name: 'Win' }).click();

  const list = page.getByRole('list', { name: 'To be shared' });
  await expect(list.getByRole('listitem').first()).toContainText('From the website words.example');
  await expect(list.getByRole('radio', { name: 'words.example' })).toBeChecked();
  expect(await findSeriousViolations(page)).toEqual([]);
  await list.getByRole('listitem').filter({ hasText: 'Buy this' }).getByRole('button').click();
  await expect(list).not.toContainText('Buy this');
  await expect(list).toContainText('A lake');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^Ben/ }).click();
  await expect(composer(page)).toHaveValue('A lake');
});

test('a signed-out member who receives a share signs in first, and may still cancel it', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url, withWorker);
  const ann = await join(phone, server, 'Ann Returns');
  await phone.clearCookies();
  const page = await phone.newPage();
  await page.goto('/login'); // the landing page has no worker
  await share(page, { title: 'A lake', url: 'https://example.test/lake' });
  await expect(page).toHaveURL('/login?next=%2Fshare');
  await signInOn(phone, server, ann);
  await page.reload();
  await expect(page).toHaveURL('/share');
  await expect(page.getByText('A lake')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Do not share' }).click();
  await expect(page).toHaveURL('/messages');
  await page.goto('/share');
  await expect(page.getByRole('heading', { name: 'Nothing to share' })).toBeVisible();
  await phone.close();
});

test('a text longer than a message is shared whole, and a pasted one that does not fit is refused', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Long');
  const ben = await join(phoneB, server, 'Ben Long');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  const text = `${'x'.repeat(3990)} 👨‍👩‍👧‍👦 the end`;
  await share(page, { text });
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^Ben/ }).click();
  await expect(composer(page)).toHaveValue(text);
  await expect(page.getByText(/characters too many/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled();

  await composer(page).fill('x'.repeat(3995));
  await composer(page).press('End');
  await page.keyboard.insertText('👨‍👩‍👧‍👦');
  await expect(page.getByText('Nothing was inserted')).toBeVisible();
  await expect(composer(page)).toHaveValue('x'.repeat(3995));
});
