import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a visitor reads the safety center without an account, and a member offline reads its last figures', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const visitor = await phoneA.newPage();
  await visitor.goto('/');
  await visitor.getByRole('link', { name: 'Safety center' }).click();
  await expect(visitor).toHaveURL(/\/safety$/);
  await expect(visitor.getByRole('heading', { name: 'Safety center' })).toBeVisible();
  await expect(visitor.getByText('too few to tell how fast we are')).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'hello@heartward.test' })).toBeVisible();
  await expectAccessibleInEveryTheme(visitor, 'safety center');

  await join(phoneB, server, 'Ann Safe');
  const page = await phoneB.newPage();
  await page.goto('/profile?tab=settings');
  await page.getByRole('link', { name: 'Open: Safety Center' }).click();
  await expect(page.getByText('too few to tell how fast we are')).toBeVisible();
  // The figures of a server where ten reports were decided.
  const body = {
    contact: 'hello@heartward.test',
    timeToAction: { decided: 1200, medianSeconds: 1500, p95Seconds: 80_000 },
    imprint: 'Heartward Ltd, 1 Moss Street',
    load: { arrived: 1300, open: 12, oldestSeconds: 7000 },
    until: '2026-11-20T00:00:00Z',
    computedAt: '2026-11-20T12:00:00Z',
  };
  await page.route('**/api/safety', (route) => route.fulfill({ json: body }));
  await page.reload();
  await expect(
    page.getByText('we decided 1,200 reports: half of them within 25 minutes, and 95 of 100 within 23 hours'),
  ).toBeVisible();
  await expect(
    page.getByText('1,300 reports arrived. 12 waited for a decision, the oldest for 117 minutes.'),
  ).toBeVisible();
  await expect(page.getByText('Heartward Ltd, 1 Moss Street')).toBeVisible();
  await page.unroute('**/api/safety');
  await page.route('**/api/safety', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('As of November 20, 2026')).toBeVisible();
  await expect(page.getByText('we decided 1,200 reports')).toBeVisible();
});
