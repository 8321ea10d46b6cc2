/** Seven days of the Love Pulse on a device whose clock the tests set. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { join, newPhone, type Person } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

type Week = {
  name: string;
  zone: string;
  days: { date: string; written: string; sent?: string }[];
};

/** Weeks with a change of summer time, which a test of the server saves at the same times. */
const weeks: Week[] = JSON.parse(
  readFileSync(`${import.meta.dirname}/../src/features/pulse/testdata/weeks.json`, 'utf8'),
);

const save = (page: Page) => page.getByRole('button', { name: "Save Today's Pulse" });
const reflection = (page: Page) => page.getByRole('textbox', { name: 'Your reflection' });
const today = (page: Page) => page.getByRole('region', { name: 'Your week' }).getByRole('button').last();

/** Wakes the device at a time, at which its clock then stands still. */
async function wakeAt(page: Page, time: number): Promise<void> {
  await page.clock.setFixedTime(time);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function fillIn(page: Page, text: string): Promise<void> {
  await page.getByRole('radio', { name: 'Hopeful' }).check();
  await reflection(page).fill(text);
}

async function expectWholeWeek(page: Page): Promise<void> {
  const week = page.getByRole('region', { name: 'Your week' });
  await expect(week.getByRole('button', { name: /: Hopeful$/ })).toHaveCount(7);
  await expect(page.getByText('A streak of 7 days')).toBeVisible();
}

const storedDays = (server: Server, { id }: Person, zone: string) =>
  server.query(
    `SELECT
       date::text,
       reflection,
       day_starts = date::timestamp AT TIME ZONE $2 AND day_ends = (date + 1)::timestamp AT TIME ZONE $2 AS "isWhole"
     FROM love_pulse
     WHERE user_id = $1
     ORDER BY date`,
    [id, zone],
  );

for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
  test(`a member without a connection writes for a week in ${zone}, and each day has its entry once it is sent`, async ({
    browser,
    server,
  }) => {
    const phone = await newPhone(browser, server.url, { timezoneId: zone });
    const ann = await join(phone, server, 'Ann Week');
    const page = await phone.newPage();
    await page.goto('/love-pulse');
    await expect(save(page)).toBeVisible();
    await phone.setOffline(true);
    const now = Date.now();
    const at = (daysAgo: number, hour: number, minute: number) =>
      page.evaluate(
        ([time = 0, days = 0, hours, minutes]) => {
          const day = new Date(time);
          return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days, hours, minutes).getTime();
        },
        [now, daysAgo, hour, minute],
      );
    const dateOf = (time: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time);

    const times = [
      await at(6, 20, 15),
      await at(5, 7, 30),
      await at(4, 23, 59),
      // Begun before midnight, and saved after it.
      await at(3, 23, 58),
      await at(2, 12, 0),
      await at(1, 23, 59),
      now,
    ];
    for (const [i, time] of times.entries()) {
      await wakeAt(page, time);
      await fillIn(page, dateOf(time));
      if (i === 3) await wakeAt(page, await at(2, 0, 1));
      await save(page).click();
      if (i === 3) await expect(today(page)).toHaveAccessibleName(/nothing written$/);
      else await expect(today(page)).toHaveAccessibleName(/: Hopeful$/);
    }
    await expectWholeWeek(page);
    await phone.setOffline(false);
    await expect(page.getByText('Saved for today. Come back tomorrow')).toBeVisible();
    const expected = times.map((time) => ({ date: dateOf(time), reflection: dateOf(time), isWhole: true }));
    await expect.poll(() => storedDays(server, ann, zone)).toEqual(expected);
    const streak = await phone.request.get(`/api/love-pulse/${ann.id}/streak`, {
      params: { timeZone: zone },
    });
    expect(await streak.json()).toMatchObject({ streak: 7, entries: 7 });
    await page.reload();
    await expectWholeWeek(page);
    await phone.close();
  });
}

/** Stores what a page sends, because the clock of the server is not that of the week. */
async function storeRequests(page: Page, server: Server) {
  const sent: Record<string, unknown>[] = [];
  const state = { sent, isOffline: false };
  await page.route('**/api/love-pulse', async (route) => {
    if (state.isOffline) return route.abort('internetdisconnected');
    const body = route.request().postDataJSON();
    await server.query(
      `INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
       SELECT gen_random_uuid(), $1, day, day::timestamp AT TIME ZONE $3, (day + 1)::timestamp AT TIME ZONE $3, $4,
         'hopeful', $5, $6, now()
       FROM CAST($2 AS date) AS day`,
      [body.userId, body.date, body.timeZone, body.question, body.date, body.clientId],
    );
    sent.push(body);
    const stored = await page.request.get(`/api/love-pulse/${body.userId}/${body.date}`);
    await route.fulfill({ response: stored });
  });
  return state;
}

for (const { name, zone, days } of weeks) {
  test(`a week in which ${name}: each entry is of the day that the member saw`, async ({
    browser,
    server,
  }) => {
    const phone = await newPhone(browser, server.url, { timezoneId: zone });
    const ann = await join(phone, server, 'Ann Summer');
    const page = await phone.newPage();
    const connection = await storeRequests(page, server);
    const setOffline = async (isOffline: boolean) => {
      // A request that the page made before it woke comes before this one, and fails too.
      if (connection.isOffline) await page.evaluate(() => fetch('/api/love-pulse').catch(() => undefined));
      connection.isOffline = isOffline;
      await phone.setOffline(isOffline);
    };
    await page.clock.setFixedTime(Date.parse(days[0]?.written ?? ''));
    await page.goto('/love-pulse');
    for (const [i, { date, written, sent: later }] of days.entries()) {
      await wakeAt(page, Date.parse(written));
      await setOffline(later !== undefined);
      await fillIn(page, date);
      await save(page).click();
      await expect(today(page)).toHaveAccessibleName(/: Hopeful$/);
      await expect(page.getByText(`A streak of ${i + 1} ${i === 0 ? 'day' : 'days'}`)).toBeVisible();
      if (later) {
        await wakeAt(page, Date.parse(later));
        await setOffline(false);
      }
      await expect.poll(() => connection.sent.length).toBe(i + 1);
    }
    expect(connection.sent).toEqual(
      days.map(({ date, written, sent: at = written }) =>
        expect.objectContaining({
          date,
          timeZone: zone,
          ageSeconds: (Date.parse(at) - Date.parse(written)) / 1000,
        }),
      ),
    );
    await expectWholeWeek(page);
    expect(await storedDays(server, ann, zone)).toEqual(
      days.map(({ date }) => ({ date, reflection: date, isWhole: true })),
    );
    await phone.close();
  });
}
