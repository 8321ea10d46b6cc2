import { expect, type Page } from '@playwright/test';
import { joinAsAdmin } from '../support/admin.ts';
import type { Server } from '../support/server.ts';
import { test } from '../support/test.ts';
import { median, ms, print } from './measure.ts';

const MEMBERS = 100_000;
const RUNS = 5;

/** Stores members, and for each tenth of them a report, a flagged message and a profile that waits. */
async function fill(server: Server): Promise<void> {
  await server.query(`
    INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code, created_at)
    SELECT gen_random_uuid(), n || '@many.test', 'Member ' || n, 'Member', '1990-01-01', 'Portland', 'OR',
      'MANY' || lpad(n::text, 8, '0'), now() - n * interval '1 minute'
    FROM generate_series(1, ${MEMBERS}) n`);
  await server.query(`
    INSERT INTO reports (id, reporter_id, reported_user_id, reason, description, place, priority, created_at)
    SELECT gen_random_uuid(), lag(id) OVER (ORDER BY id), id, 'spam', 'Sells things', 'profile', 2, now() - n * interval '1 minute'
    FROM (SELECT id, row_number() OVER (ORDER BY email) n FROM users) u WHERE n % 10 = 2`);
  await server.query(`
    INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
    SELECT gen_random_uuid(), gen_random_uuid(), 1, id, id, 'Buy this', 'spam', 0.9, 'filter'
    FROM (SELECT id, row_number() OVER (ORDER BY email) n FROM users) u WHERE n % 10 = 3`);
  await server.query(`
    INSERT INTO profile_reviews (user_id, subject, submitted_at)
    SELECT id, 'profile', now() - n * interval '1 minute'
    FROM (SELECT id, row_number() OVER (ORDER BY email) n FROM users) u WHERE n % 10 = 4`);
  await server.query('ANALYZE');
}

/** Returns the median time from `act` to the second frame after `rows` show what it asked for. */
async function measure(page: Page, act: () => Promise<unknown>, shown: () => Promise<unknown>) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    await act();
    await shown();
    times.push(performance.now() - began);
    await page.goto('/admin/dashboard/settings');
  }
  return median(times);
}

test('every table of the dashboard with a hundred thousand members', async ({ browser, server }) => {
  const { computer } = await joinAsAdmin(browser, server, 'Ada Many');
  await fill(server);
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/settings');
  const tabs = page.getByRole('navigation', { name: 'Admin' });
  const open = (tab: string) => tabs.getByRole('link', { name: tab, exact: true }).click();
  const rows = page.locator('main :is([data-row], tbody tr)');

  print(
    `\nAdmin tables with ${MEMBERS.toLocaleString('en-US')} members, from the click to the rows, median of ${RUNS}`,
  );
  for (const tab of ['Users', 'Reports', 'Messages', 'Verifications', 'Profiles', 'Appeals', 'Audit log']) {
    const time = await measure(
      page,
      () => open(tab),
      () => expect(rows.or(page.locator('main').getByText(/^No /)).first()).toBeVisible(),
    );
    print(`  ${tab.padEnd(40)} ${ms(time)}`);
  }
  for (const [title, column] of [
    ['Users by name', 'Name'],
    ['Users by last activity', 'Last active'],
  ] as const) {
    const time = await measure(
      page,
      async () => {
        await open('Users');
        await page.getByRole('columnheader', { name: column }).getByRole('button').click();
      },
      async () => {
        await expect(page.getByRole('columnheader', { name: column })).toHaveAttribute(
          'aria-sort',
          /cending/,
        );
        await expect(page.getByRole('region', { name: 'Members' })).toHaveAttribute('aria-busy', 'false');
      },
    );
    print(`  ${title.padEnd(40)} ${ms(time)}`);
  }
  const search = await measure(
    page,
    async () => {
      await open('Users');
      await page.getByLabel('Name or whole email address').fill('Member 99999');
      await page.keyboard.press('Enter');
    },
    () => expect(page.getByText('1 member', { exact: true })).toBeVisible(),
  );
  print(`  ${'Search for one of them'.padEnd(40)} ${ms(search)}`);
  await computer.close();
});
