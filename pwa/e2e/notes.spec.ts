import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) => (process.env.SHOTS ? `${process.env.SHOTS}/notes-${name}.png` : undefined);

test('a member keeps a private note about a match, also offline and over a reload, and nobody else sees it', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Notes');
  const ben = await join(phoneB, server, 'Ben Noted');
  const page = await phoneA.newPage();
  await page.goto(`/profile/${ben.id}`);
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Private note' })).toBeHidden();
  await match(phoneA, ann, phoneB, ben);
  await page.reload();
  const note = page.getByRole('textbox', { name: 'What you want to remember about Ben' });
  await expect(note).toBeEnabled();
  await note.fill('His sister is called Mo');
  const stored = () => server.query('SELECT content FROM match_notes WHERE member_id = $1', [ann.id]);
  await expect.poll(stored).toEqual([{ content: 'His sister is called Mo' }]);
  await expect(page.getByText('Saving…')).toBeHidden();
  await expectAccessibleInEveryTheme(page, 'section:has(textarea)');
  expect(await findLayoutFaults(page)).toEqual([]);
  // The check of the layout has tried wide screens, which draw the profile in other columns.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(() => note.scrollIntoViewIfNeeded()).toPass();
  await page.screenshot({ path: shot('saved') });

  await phoneA.setOffline(true);
  await note.fill('His sister is called Mo. Likes fog');
  await expect(
    page.getByText('Saved on this device. It is sent once you are connected again.'),
  ).toBeVisible();
  await page.screenshot({ path: shot('offline') });
  expect(await stored()).toEqual([{ content: 'His sister is called Mo' }]);
  await phoneA.setOffline(false);
  await expect.poll(stored).toEqual([{ content: 'His sister is called Mo. Likes fog' }]);
  await page.reload();
  await expect(note).toHaveValue('His sister is called Mo. Likes fog');

  const other = await phoneB.newPage();
  await other.goto(`/profile/${ann.id}`);
  await expect(other.getByRole('textbox', { name: 'What you want to remember about Ann' })).toHaveValue('');
  await expect(other.getByText('Likes fog')).toBeHidden();

  await note.fill('');
  await note.blur();
  await expect.poll(stored).toEqual([{ content: '' }]);
});
