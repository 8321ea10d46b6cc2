import { randomUUID } from 'node:crypto';
import { findSeriousViolations } from './support/axe.ts';
import { addPeople } from './support/people.ts';
import { join } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Starts a run of the digest, as the job of every Monday does, of a week of which the server starts none by itself. */
async function startDigest(server: Server): Promise<void> {
  await server.query(`INSERT INTO digest_runs (week) VALUES (date_trunc('week', now())::date - 7)`);
  await server.query(
    `INSERT INTO river_job (kind, args, max_attempts)
     VALUES ('enqueue_digests', jsonb_build_object('week', date_trunc('week', now())::date - 7), 5)`,
  );
}

test('a member turns the weekly digest off by the link in the mail', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Weekly');
  await server.query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [ann.id]);
  const [ben] = await addPeople(server, 'Ben Liker');
  await server.query(
    `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES ($1, $2, $3, 'like')`,
    [randomUUID(), ben?.id, ann.id],
  );
  await startDigest(server);
  const mail = await server.mail(ann.email, 'Your week on Heartward');
  expect(mail.subject).toBe('Your week on Heartward: 1 new like');
  expect(mail.text).not.toContain('Ben');

  // Without a session, as in the browser of a mail program.
  const page = await phoneB.newPage();
  await page.goto(/Turn it off:\s+(\S+)/.exec(mail.text)?.[1] ?? '');
  await expect(page.getByRole('heading', { name: 'Turn off the weekly digest?' })).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Turn off the weekly digest' }).click();
  await expect(page.getByRole('heading', { name: 'The weekly digest is off' })).toBeVisible();

  const settings = await phoneA.newPage();
  await settings.goto('/settings?tab=notifications#email');
  await expect(settings.getByRole('switch', { name: /^Weekly digest/ })).not.toBeChecked();
});
