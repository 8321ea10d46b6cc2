import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { newPhone, openConversation, type Pair, pair } from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** Returns the calendar day in `days` days, as YYYY-MM-DD. */
function inDays(days: number): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
  return day.format(new Date(Date.now() + days * 86_400_000));
}

const card = (page: Page) => page.getByTestId('date-card');

/** Shows the other actions of a date that both have accepted. */
const expandActions = (page: Page) => card(page).getByRole('button', { name: 'More for this date' }).click();

async function plan(page: Page, place: string, days: number, time: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  await page.getByRole('button', { name: 'Plan a date' }).click();
  await fill(page, place, days, time);
  await page.getByRole('button', { name: /^Ask / }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function fill(page: Page, place: string, days: number, time: string): Promise<void> {
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Where').fill(place);
  await sheet.getByLabel('Day').fill(inDays(days));
  await sheet.getByLabel('Time', { exact: true }).fill(time);
}

/** Downloads the calendar file by the link with this name and returns its text with folded lines joined. */
async function downloadCalendar(page: Page, linkName: string): Promise<string> {
  const download = page.waitForEvent('download');
  await card(page).getByRole('link', { name: linkName }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('heartward-date.ics');
  return (await readFile(await file.path(), 'utf8')).replaceAll('\r\n ', '');
}

/** Makes a date that both members have accepted, through the API. */
async function makeAcceptedDate({ a, b, ben }: Pair, place: string): Promise<string> {
  const [{ id: conversation }] = await (await a.request.get(`/api/conversations?with=${ben.id}`)).json();
  const response = await a.request.post(`/api/conversations/${conversation}/dates`, {
    data: {
      place,
      at: new Date(Date.now() + 50 * 3_600_000).toISOString(),
      timeZone: 'America/New_York',
      clientId: crypto.randomUUID(),
    },
  });
  expect(response.status(), await response.text()).toBe(201);
  const { id } = await response.json();
  expect((await b.request.post(`/api/dates/${id}/accept`, { data: { revision: 1 } })).status()).toBe(200);
  return id;
}

test('a date is proposed, accepted, changed, exported to a calendar and cancelled', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const annPage = await openConversation(a, ben);
  const benPage = await openConversation(b, ann);

  await plan(annPage, 'Café Luna, by the window', 3, '19:30');
  await expect(card(annPage).getByText('Waiting for Ben')).toBeVisible();
  await expect(card(annPage).getByRole('button', { name: 'Say yes' })).toBeHidden();
  await expect(card(benPage).getByText('Waiting for you')).toBeVisible();
  await expect(card(benPage).getByText(/7:30 PM/)).toBeVisible();

  await card(benPage).getByRole('button', { name: 'Say yes' }).click();
  await expect(card(benPage).getByText("It's a date")).toBeVisible();
  await expect(card(annPage).getByText("It's a date")).toBeVisible();
  const first = await downloadCalendar(annPage, 'Add to calendar');
  expect(first).toContain('LOCATION:Café Luna\\, by the window\r\n');
  expect(first).toContain('STATUS:CONFIRMED\r\n');
  const uid = /\r\nUID:(\S+)\r\n/.exec(first)?.[1];

  expect(
    await card(benPage).locator('button, a').allTextContents(),
    'a settled date takes one row of the conversation',
  ).toEqual(['Add to calendar', 'More']);
  await expandActions(benPage);
  await card(benPage).getByRole('button', { name: 'Change', exact: true }).click();
  await expect(benPage.getByRole('dialog').getByLabel('Time')).toHaveValue('19:30');
  await fill(benPage, 'The old pier', 4, '10:00');
  await benPage.getByRole('button', { name: 'Ask Ann again' }).click();
  await expect(card(annPage).getByText('Waiting for you')).toBeVisible();
  await expect(card(annPage).getByRole('heading', { name: 'The old pier' })).toBeVisible();
  await expect(annPage.getByText('Proposed a date: Café Luna', { exact: false })).toBeVisible();
  await card(annPage).getByRole('button', { name: 'Say yes' }).click();
  await expect(card(benPage).getByText("It's a date")).toBeVisible();

  await annPage.goto('/matches');
  await expect(annPage.getByRole('definition').nth(2)).toHaveText('1');
  await annPage.getByRole('link', { name: 'Dates planned' }).click();
  await expect(annPage.getByRole('heading', { name: 'Coming up' })).toBeVisible();
  await expectAccessibleInEveryTheme(annPage);

  await expandActions(benPage);
  await card(benPage).getByRole('button', { name: 'Call it off' }).click();
  await benPage.getByRole('dialog').getByRole('button', { name: 'Call it off' }).click();
  await expect(card(benPage).getByText('Called off')).toBeVisible();
  await expect(card(annPage).getByText('Called off')).toBeVisible();
  const last = await downloadCalendar(annPage, 'Update my calendar');
  expect(last).toContain(`UID:${uid}\r\n`);
  expect(last).toContain('METHOD:CANCEL\r\n');
  expect(last).toContain('STATUS:CANCELLED\r\n');
});

test('a signed-out friend opens a shared date, and is told once sharing has ended', async ({
  browser,
  server,
}) => {
  const members = await pair(browser, server, { workerOn: 'neither' });
  await makeAcceptedDate(members, 'The tea house');
  const annPage = await openConversation(members.a, members.ben);
  await expandActions(annPage);
  await card(annPage).getByRole('button', { name: 'Share with a friend' }).click();
  await expect(annPage.getByLabel('The link works for').locator(':checked')).toHaveText(
    'Until the morning after',
  );
  await expect(annPage.getByText('This link ends before your date.', { exact: false })).toBeHidden();
  await annPage.getByLabel('The link works for').selectOption({ label: '2 days' });
  await expect(annPage.getByText('This link ends before your date.', { exact: false })).toBeVisible();
  await annPage.getByLabel('The link works for').selectOption({ label: 'Until the morning after' });
  await annPage.getByRole('button', { name: 'Make a link' }).click();
  const { pathname, hash } = new URL(await annPage.getByLabel('Your link').inputValue());
  expect(pathname + hash).toMatch(/^\/shared-date#[\w-]{43}$/);

  const friend = await newPhone(browser, server.url, { viewport: { width: 320, height: 640 } });
  const page = await friend.newPage();
  const referers: string[] = [];
  page.on('request', (request) => referers.push(`${request.headers().referer ?? ''}`));
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const response = await page.goto(pathname + hash);
  expect(response?.headers()['x-robots-tag']).toContain('noindex');
  expect(response?.headers()['referrer-policy']).toBe('no-referrer');
  await expect(page.getByRole('heading', { name: 'Ann is meeting Ben' })).toBeVisible();
  await expect(page.getByText('The tea house')).toBeVisible();
  await expect(page.getByText(/\d:\d\d [AP]M E[SD]T/)).toBeVisible();
  await expect(page.getByText(/Last updated/)).toBeVisible();
  expect(referers.join('')).toBe('');
  const sent = addresses.map((address) => address.replace(/#.*/, ''));
  expect(sent.join(' '), 'the token is in no address that is sent').not.toContain(hash.slice(1));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  for (const secret of ['Harper', 'Lowe', members.ann.id, members.ben.id])
    expect(await page.content()).not.toContain(secret);
  await expectAccessibleInEveryTheme(page);

  await annPage.getByRole('button', { name: 'End sharing' }).click();
  await expect(annPage.getByText('Sharing has ended')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
  await expect(page.getByText('The tea house')).toBeHidden();
});

test('after a date each member is asked privately whether they met, and sees an error if the answer cannot be saved', async ({
  browser,
  ownServer,
}) => {
  const members = await pair(browser, ownServer, { workerOn: 'neither' });
  const id = await makeAcceptedDate(members, 'The quiet library');
  await ownServer.query(
    "UPDATE dates SET proposed_at = now() - interval '2 days', at = now() - interval '4 hours' WHERE id = $1",
    [id],
  );
  const annPage = await members.a.newPage();
  await annPage.goto('/dates');
  await card(annPage).getByRole('button', { name: 'Yes' }).click();
  await annPage.getByLabel('A note for yourself').fill('Talked for hours, then he would not let me leave.');
  await card(annPage).getByRole('button', { name: 'No', exact: true }).click();
  await expect(card(annPage).getByText('You met. You did not feel safe.')).toBeVisible();
  await expect(card(annPage).getByText('Only you ever see this.')).toBeVisible();
  await card(annPage).getByRole('button', { name: 'Report or block Ben' }).click();
  await expect(annPage.getByRole('dialog')).toBeVisible();
  await annPage.keyboard.press('Escape');

  const benPage = await members.b.newPage();
  await benPage.goto('/dates');
  await expect(card(benPage).getByText('Did you and Ann meet?')).toBeVisible();
  expect(await (await members.b.request.get(`/api/dates/${id}`)).text()).not.toContain('hours');
  await card(benPage).getByRole('button', { name: 'Not yet' }).click();
  await expect(card(benPage).getByText('You have not met yet.')).toBeVisible();

  await ownServer.stop();
  await benPage.getByRole('button', { name: 'Change my answer' }).click();
  await card(benPage).getByRole('button', { name: 'No', exact: true }).click();
  await expect(benPage.getByRole('alert')).toContainText('needs a connection');
  await ownServer.start();
  await card(benPage).getByRole('button', { name: 'No', exact: true }).click();
  await expect(card(benPage).getByText('You did not meet.')).toBeVisible();
});

test('a member whose device does not tell its time zone chooses one for the date', async ({
  browser,
  server,
}) => {
  const { a, ben } = await pair(browser, server, { workerOn: 'neither' });
  await a.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' };
    };
  });
  const page = await openConversation(a, ben);
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  await page.getByRole('button', { name: 'Plan a date' }).click();
  await fill(page, 'The lake in Tokyo', 3, '19:00');
  await page.getByRole('button', { name: /^Ask / }).click();
  await expect(page.getByText('Please choose a time zone.')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByRole('button', { name: /^Ask / }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(card(page)).toContainText('Tokyo time');
  const [date] = await server.query(
    `SELECT time_zone AS zone, date_part('hour', at AT TIME ZONE time_zone)::int AS hour FROM dates WHERE place = $1`,
    ['The lake in Tokyo'],
  );
  expect(date).toEqual({ zone: 'Asia/Tokyo', hour: 19 });
});

test('the buttons of a date stay inside of its card, with whole words, on a small phone with text of double size', async ({
  browser,
  server,
}) => {
  const members = await pair(browser, server, { workerOn: 'neither' });
  await makeAcceptedDate(members, 'The corner café');
  const page = await openConversation(members.a, members.ben);
  for (const path of [page.url(), '/dates']) {
    await page.goto(path);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await expect(card(page).getByRole('link', { name: 'Add to calendar' })).toBeVisible();
    await expandActions(page);
    await expect(card(page).getByRole('button', { name: 'Call it off' })).toBeVisible();
    expect(await card(page).evaluate(findWideButtons), path).toEqual([]);
  }
});

/** In the page: returns the buttons that are wider than their card, or narrower than a word of theirs. */
function findWideButtons(box: Element): string[] {
  const { right } = box.getBoundingClientRect();
  const isWide = (button: Element) => {
    const text = document.createRange();
    text.selectNodeContents(button);
    const end = button.getBoundingClientRect().right;
    return (
      end > right + 1 || text.getBoundingClientRect().right > end || button.scrollWidth > button.clientWidth
    );
  };
  return [...box.querySelectorAll('a, button')].filter(isWide).map(({ textContent }) => textContent ?? '');
}
