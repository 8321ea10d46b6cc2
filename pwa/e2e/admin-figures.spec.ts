import { randomUUID } from 'node:crypto';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { addPeople } from './support/people.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Counts the days and weeks, as the job does each hour. */
async function countFigures(server: Server): Promise<void> {
  const [job] = await server.query(
    `INSERT INTO river_job (kind, args, max_attempts) VALUES ('store_figures', '{}', 1) RETURNING id`,
  );
  await expect
    .poll(() => server.query(`SELECT state FROM river_job WHERE id = $1`, [job?.id]))
    .toEqual([{ state: 'completed' }]);
}

test('an admin reads the figures as charts and as tables, by pointer and by keyboard', async ({
  browser,
  ownServer: server,
}) => {
  const people = await addPeople(server, 'Ada One', 'Ben Two', 'Cleo Three', 'Dan Four');
  const ids = people.map(({ id }) => id);
  await server.query(
    `UPDATE users SET created_at = date_trunc('day', now(), 'UTC') - interval '36 hours' WHERE id = ANY ($1)`,
    [ids],
  );
  for (const [hours, decidedHours] of [
    [60, 36],
    [40, 36],
  ])
    await server.query(
      `INSERT INTO reports (id, reason, place, priority, created_at, status, reviewed_at, action_taken)
       VALUES ($1, 'spam', 'card', 2, date_trunc('day', now(), 'UTC') - $2 * interval '1 hour', 'reviewed',
         date_trunc('day', now(), 'UTC') - $3 * interval '1 hour', 'no_action')`,
      [randomUUID(), hours, decidedHours],
    );
  await server.query(
    `INSERT INTO daily_items (day, member_id, rule, item_id)
     SELECT (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), 'people', $1 FROM generate_series(1, 5)`,
    [ids[0]],
  );
  const { computer } = await joinAsAdmin(browser, server, 'Mo Counter');
  await countFigures(server);
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard');
  await page.getByRole('link', { name: 'Figures' }).click();

  const signUps = page.getByRole('figure', { name: 'Sign-ups' });
  await expect(signUps).toContainText('Total 5');
  await expect(page.getByRole('figure', { name: 'Messages' })).toContainText('Nothing in this time.');
  const days = signUps.getByRole('slider');
  await expect(days).toHaveAttribute('aria-valuetext', /: 1$/);
  await days.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(days).toHaveAttribute('aria-valuetext', /: 0$/);
  await page.keyboard.press('ArrowLeft');
  await expect(days).toHaveAttribute('aria-valuetext', /: 4$/);
  await days.hover();
  await expect(days).toHaveAttribute('aria-valuetext', /: no figure$/);
  const action = page.getByRole('figure', { name: 'Time to action' }).getByRole('slider');
  await action.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(action).toHaveAttribute('aria-valuetext', /: 95 of 100 within 23 h, Median 14 h$/);
  await expect(page.getByRole('figure', { name: 'Shown to nobody' }).getByRole('slider')).toHaveAttribute(
    'aria-valuetext',
    /: 80%$/,
  );
  await expectUsable(page, 'figures');

  await page.getByRole('radio', { name: '30 days' }).press('ArrowRight');
  await expect(days).toHaveAttribute('aria-valuemax', '90');
  await expectUsable(page, 'figures of 90 days');
  await page.getByText('7 days', { exact: true }).click();
  await expect(days).toHaveAttribute('aria-valuemax', '7');

  await page.getByRole('switch', { name: 'Show as table' }).check();
  const rows = page.getByRole('table', { name: 'Figures of each day' }).getByRole('row');
  await expect(rows).toHaveCount(8);
  await expect(rows.nth(3).getByRole('cell')).toHaveText(['4', '4', '0', '0', '1', '23 h', '14 h']);
  await expect(rows.nth(7)).toContainText('No figure');
  const week = page.getByRole('table', { name: 'How evenly members were shown' }).getByRole('row').nth(1);
  await expect(week.getByRole('cell')).toHaveText(['80%', '0.80']);
  await expectUsable(page, 'figures as tables');
  await computer.close();
});

test('a moderator has no figures', async ({ browser, server }) => {
  const { computer, admin } = await joinAsAdmin(browser, server, 'Mo Miller');
  await server.query('UPDATE users SET is_admin = false, is_moderator = true WHERE id = $1', [admin.id]);
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/reports');
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Figures' })).toHaveCount(0);
  expect((await computer.request.get('/api/admin/figures')).status()).toBe(403);
  await computer.close();
});

test('an admin of a site that has no figures, or does not answer, reads why there are none', async ({
  browser,
  ownServer: server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo First');
  const page = await computer.newPage();
  // Without a socket nothing is loaded again by itself.
  await page.routeWebSocket(/\/ws$/, () => undefined);
  await page.route('**/api/admin/figures*', (route) =>
    route.fulfill({ json: { days: [], weeks: [], outcomes: [] } }),
  );
  await page.goto('/admin/dashboard/figures');
  await expect(page.getByRole('heading', { name: 'No figures yet' })).toBeVisible();
  await expectUsable(page, 'no figures');
  await page.unroute('**/api/admin/figures*');
  await page.route('**/api/admin/figures*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible();
  await page.unroute('**/api/admin/figures*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('figure', { name: 'Sign-ups' })).toContainText('Total 1');
  await computer.close();
});
