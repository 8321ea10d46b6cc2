import { top, waitForCandidates } from './support/deck.ts';
import { addPeople, hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member who was shown as many people as a day allows reads when new ones come, also offline', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  const me = await join(phoneA, server, 'Dora Deck');
  await addPeople(server, 'Bea', 'Cleo', 'Dan');
  await waitForCandidates(phoneA, 3);
  await server.query('DELETE FROM daily_items');
  await server.query('DELETE FROM daily_counts');
  // Tomorrow's too, because the test may run across midnight.
  await server.query(
    `INSERT INTO daily_counts (day, member_id, rule, items)
     SELECT (now() AT TIME ZONE 'UTC')::date + n, $1, 'people', 598 FROM generate_series(0, 1) n`,
    [me.id],
  );

  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const note = page.getByText(
    /You have seen as many people as we show in a day\..* New people come again (today|tomorrow) at/,
  );
  await page.goto('/discover');
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(note).toBeVisible();

  await page.goto('/');
  for (let decided = 0; decided < 2; decided++) {
    const name = await top(page).getByRole('heading').textContent();
    await page.getByRole('button', { name: 'Pass', exact: true }).click();
    await expect(top(page).filter({ hasText: name ?? '' })).toBeHidden();
  }
  await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  await expect(note).toBeVisible();
  await phoneA.setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(note).toBeVisible();
});
