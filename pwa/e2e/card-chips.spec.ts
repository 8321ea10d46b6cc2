import { top, waitForCandidates } from './support/deck.ts';
import { addPeople, hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('cards say who was active lately, who is new and how far away the town is', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  const [bea] = await addPeople(server, 'Bea');
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.goto('/');
  await expect(top(page).getByText('Recently active')).toBeVisible();
  await expect(top(page).getByText('New here')).toBeVisible();
  await expect(top(page).getByText('within 5 miles')).toBeVisible();
  await server.query(
    "UPDATE users SET hide_online = true, created_at = now() - interval '8 days' WHERE id = $1",
    [bea?.id],
  );
  await page.goto('/discover');
  const card = page.getByRole('article');
  await expect(card.getByText('within 5 miles')).toBeVisible();
  await expect(card.getByText(/Recently active|New here/)).toHaveCount(0);
});
