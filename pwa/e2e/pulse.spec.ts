import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match, newPhone, type Person } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) => (process.env.SHOTS ? `${process.env.SHOTS}/pulse-${name}.png` : undefined);

/** As screen readers read them; the first letter is what is seen. */
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
].map((name) => `${name[0]}${name}`);

const save = (page: Page) => page.getByRole('button', { name: "Save Today's Pulse" });
const reflection = (page: Page) => page.getByRole('textbox', { name: 'Your reflection' });

/** Two zones that have the same time, on successive days, and whose days do not end within half an hour. */
function zonesADayApart(): [today: string, tomorrow: string] {
  const minutes = new Date().getUTCHours() * 60 + new Date().getUTCMinutes();
  const endsSoon = minutes >= 9 * 60 + 30 && minutes < 10 * 60; // in the first two it is midnight at ten
  return endsSoon ? ['Pacific/Pago_Pago', 'Pacific/Apia'] : ['Pacific/Honolulu', 'Pacific/Kiritimati'];
}

test('a member writes offline, another device changes it, and in the next day the streak goes on', async ({
  browser,
  server,
}) => {
  const [today, tomorrow] = zonesADayApart();
  const phone = await newPhone(browser, server.url, { timezoneId: today });
  const ann = await join(phone, server, 'Ann Writer');
  const page = await phone.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/profile?tab=settings');
  await page.getByRole('link', { name: 'Open: Love Pulse' }).click();
  await expect(page.getByRole('heading', { name: 'Love Pulse Daily' })).toBeVisible();
  await expect(page.getByText('A new streak begins today')).toBeVisible();
  const question = await page.getByRole('heading', { level: 2 }).first().textContent();
  await expectAccessibleInEveryTheme(page, 'form');
  expect(await findLayoutFaults(page)).toEqual([]);

  await phone.setOffline(true);
  await expect(save(page)).toBeDisabled();
  await page.getByRole('radio', { name: 'Hopeful' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Content' })).toBeChecked();
  await reflection(page).fill('   ');
  await expect(save(page)).toBeDisabled();
  await reflection(page).fill('Fog over the bay.');
  await save(page).click();
  await expect(page.getByText("Saved on this device. It will be sent when you're online.")).toBeVisible();
  await expect(page.getByText('A streak of 1 day')).toBeVisible();
  await phone.setOffline(false);
  await expect(page.getByText('Saved for today. Come back tomorrow for a new question.')).toBeVisible();
  const stored = () =>
    server.query(`SELECT mood, reflection, question FROM love_pulse WHERE user_id = $1 ORDER BY date`, [
      ann.id,
    ]);
  expect(await stored()).toEqual([{ mood: 'content', reflection: 'Fog over the bay.', question }]);

  // Other devices of the member, signed in by the same cookie.
  const storageState = await phone.storageState();
  const laptop = await newPhone(browser, server.url, { storageState, timezoneId: today });
  const other = await laptop.newPage();
  await other.goto('/love-pulse');
  await other.getByRole('button', { name: 'Change it' }).click();
  await reflection(other).fill('Fog, then sun.');
  await save(other).click();
  await expect(page.getByText('You changed this on another device')).toBeVisible();
  await expect(page.getByRole('region', { name: question ?? '' })).toContainText('Fog, then sun.');
  await expectAccessibleInEveryTheme(page, 'completed');
  await Promise.all([laptop.close(), phone.close()]);

  const abroad = await newPhone(browser, server.url, { storageState, timezoneId: tomorrow });
  const next = await abroad.newPage();
  await next.emulateMedia({ reducedMotion: 'reduce' });
  await next.goto('/love-pulse');
  await expect(next.getByText('A streak of 1 day')).toBeVisible();
  await expect(next.getByRole('heading', { level: 2 }).first()).not.toHaveText(question ?? '');
  await next.getByRole('radio', { name: 'Grateful' }).check();
  await reflection(next).fill('A day later.');
  await save(next).click();
  await expect(next.getByText('A streak of 2 days')).toBeVisible();
  await expect.poll(async () => (await stored()).length).toBe(2);

  // The week, then the year, by keyboard.
  const week = next.getByRole('region', { name: 'Your week' });
  await week.getByRole('button', { name: /: Content$/ }).focus();
  await next.keyboard.press('Enter');
  await expect(week).toContainText('Fog, then sun.');
  const year = next.getByRole('region', { name: 'Your year in moods' });
  const days = year.getByRole('listbox', { name: /^Moods of/ });
  await days.focus();
  await expect(days.getByRole('option', { selected: true })).toHaveAccessibleName(/: Grateful$/);
  await next.keyboard.press('ArrowLeft');
  // On the first of January the day before is in another year, where the list box ends.
  if (!(await days.getByRole('option', { name: 'January 1: Grateful' }).count()))
    await expect(year).toContainText('Fog, then sun.');
  await next.screenshot({ path: shot('day2'), fullPage: true });
  await expectAccessibleInEveryTheme(next, 'year');
  // Each day has another question: with the longest words of all.
  await next.locator('#pulse-question').evaluate((heading) => {
    heading.textContent = 'What challenged your intention for tomorrow?';
  });
  expect(await findLayoutFaults(next)).toEqual([]);
  await year.getByRole('button', { name: 'Show as a table' }).click();
  const table = year.getByRole('table', { name: /^Moods of/ });
  await expect(table.getByRole('columnheader')).toHaveText(['Day', ...months]);
  const [{ day = 0, month = 0 } = {}] = await server.query<{ day: number; month: number }>(
    `SELECT extract(day FROM date)::int AS day, extract(month FROM date)::int AS month
     FROM love_pulse WHERE user_id = $1 ORDER BY date DESC`,
    [ann.id],
  );
  const row = table.getByRole('row').nth(day);
  await expect(row.getByRole('rowheader')).toHaveText(String(day));
  await expect(row.getByRole('cell').nth(month - 1)).toHaveText('Grateful');
  await expectAccessibleInEveryTheme(next, 'table');
  expect(await findLayoutFaults(next)).toEqual([]);
  await year.getByRole('button', { name: 'Show as a calendar' }).click();
  await expect(days).toBeVisible();

  // The streak of a member who does not want to see it.
  await next.getByRole('switch', { name: 'Show my streak' }).uncheck();
  await expect(next.getByText('A streak of 2 days')).toBeHidden();
  await next.reload();
  await expect(next.getByRole('switch', { name: 'Show my streak' })).not.toBeChecked();
  await expect(next.getByText('A streak of')).toBeHidden();
  await abroad.close();
});

/** Makes a couple of two matched members, who graduated too long ago for a celebration. */
async function graduate(server: Server, one: Person, two: Person): Promise<void> {
  await server.query('UPDATE users SET is_graduated = true WHERE id = ANY ($1)', [[one.id, two.id]]);
  await server.query(
    `WITH couple AS (
       INSERT INTO graduated_couples (user_one_id, user_two_id, status, accepted_at, approved_at)
       VALUES ($1, $2, 'graduated', now(), now() - interval '30 days') RETURNING id)
     INSERT INTO couple_members (user_id, couple_id, on_wall)
     SELECT member, id, false FROM couple, unnest(ARRAY[$1::uuid, $2::uuid]) AS member`,
    [one.id, two.id],
  );
}

test('two graduates share what they write while both want it', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Sharing');
  const ben = await join(phoneB, server, 'Ben Sharing');
  await match(phoneA, ann, phoneB, ben);
  await graduate(server, ann, ben);
  const [page, partner] = [await phoneA.newPage(), await phoneB.newPage()];
  for (const each of [page, partner]) await each.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/graduation');
  await page.getByRole('link', { name: 'Your space together' }).click();
  await partner.goto('/together');
  await page.getByRole('switch', { name: /Share my Love Pulse/ }).check();
  await expect(page.getByText('Ben does not share, or not yet.')).toBeVisible();
  // Over the socket, without a reload.
  await expect(partner.getByText('Ann would like to share.')).toBeVisible();
  await partner.getByRole('switch', { name: /Share my Love Pulse/ }).check();
  await expect(page.getByText('Nothing shared yet')).toBeVisible();

  const write = async (phone: typeof phoneA, text: string) => {
    const tab = await phone.newPage();
    await tab.goto('/love-pulse');
    await tab.getByRole('radio', { name: 'Inspired' }).check();
    await expect(reflection(tab)).toHaveAccessibleDescription(/^Only you and (Ann|Ben) can read this\./);
    await reflection(tab).fill(text);
    await save(tab).click();
    await expect(tab.getByText('Saved for today.')).toBeVisible();
    await tab.close();
  };
  await write(phoneA, 'Ann was here.');
  await expect(partner.getByText('Ann was here.')).toBeVisible();
  await write(phoneB, 'Ben too.');
  await expect(page.getByText('Ben too.')).toBeVisible();
  await expect(page.getByText('You both felt inspired.')).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'together');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('together'), fullPage: true });

  await partner.getByRole('switch', { name: /Share my Love Pulse/ }).uncheck();
  await expect(partner.getByText('Ann was here.')).toBeHidden();
  await expect(page.getByText('Ben too.')).toBeHidden();
  await expect(page.getByText('Ben does not share, or not yet.')).toBeVisible();
  await page.goto('/love-pulse');
  await page.getByRole('button', { name: 'Change it' }).click();
  await expect(reflection(page)).toHaveAccessibleDescription(/^Only you can read this\./);
});

test('a member looks back on the entry of a year ago, also offline, and on nothing without one', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Lookback');
  await server.query(
    `INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
     SELECT gen_random_uuid(), $1, day, day, day + interval '1 day', 'What brought you joy today?', 'grateful',
       'Snow on ' || day, gen_random_uuid(), now()
     FROM unnest(ARRAY['2025-11-25', '2027-02-28']::date[]) AS day`,
    [ann.id],
  );
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.setFixedTime('2026-11-25T12:00:00-05:00');
  await page.goto('/profile?tab=settings');
  const open = page.getByRole('link', { name: 'Open: Love Pulse' });
  await open.click();
  const lookBack = page.getByRole('group').filter({ hasText: 'A year ago today' });
  const text = lookBack.getByText('Snow on 2025-11-25');
  await expect(lookBack).toBeVisible();
  await expect(text).toBeHidden();
  await lookBack.getByText('A year ago today').click();
  await expect(text).toBeVisible();
  await expect(lookBack).toContainText('Tuesday, November 25, 2025');
  await expectAccessibleInEveryTheme(page, 'a year ago');
  await page.screenshot({ path: shot('year-ago'), fullPage: true });

  await phoneA.setOffline(true);
  await page.goBack();
  await open.click();
  await lookBack.getByText('A year ago today').click();
  await expect(text).toBeVisible();

  await phoneA.setOffline(false);
  await server.query(`DELETE FROM love_pulse WHERE user_id = $1 AND date = '2025-11-25'`, [ann.id]);
  await page.reload();
  await expect(lookBack).toBeHidden();

  // The year before has no such day.
  await page.clock.setFixedTime('2028-02-29T12:00:00-05:00');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Your week' })).toContainText('Tue, February 29');
  await expect(lookBack).toBeHidden();
});
