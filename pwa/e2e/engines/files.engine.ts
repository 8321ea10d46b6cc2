/** Field cases (docs/field-cases.md) of files that enter and leave the page, and of pushes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { endlessPhoto, heicPhoto, quartersOf } from './field-files.ts';
import {
  chooseFiles,
  countPictureMessages,
  drawHalfTransparent,
  holdUploads,
  readNewest,
  saveAddress,
  signInAsDemo,
} from './field-page.ts';
import { CHOOSE_PICTURES, openPicker } from './picker.ts';
import { button, field, link, Tab } from './tab.ts';
import { test } from './test.ts';

const { step } = test;

test('HEIC pictures, saved files and pushes are right in this engine', async ({ engine, server }, {
  project,
}) => {
  test.setTimeout(300_000);
  const tab = new Tab(engine, server.url);
  await tab.open('/');
  const [peer] = await engine.call(signInAsDemo);
  if (!peer) throw new Error('the demo member has no conversation');
  const [me] = await server.query<{ id: string }>("SELECT id FROM users WHERE email = 'demo@heartward.test'");
  if (!me) throw new Error('there is no demo member');

  await step(
    'a HEIC picture that this engine cannot read is refused at once, whatever it is called',
    async () => {
      await tab.open(`/messages/${peer.id}`);
      await tab.waitFor(field(`Message to ${peer.firstName}`));
      const before = await engine.call(countPictureMessages, peer.id);
      for (const [name, type] of [
        ['IMG_1.heic', ''],
        ['IMG_2.jpg', 'image/jpeg'],
      ] as const) {
        await openPicker(tab);
        await engine.call(chooseFiles, CHOOSE_PICTURES, [heicPhoto(name, type)]);
        await tab.waitForText(`${name} is a HEIC picture, which this browser can't read.`);
      }
      expect(await engine.call(countPictureMessages, peer.id)).toBe(before);
    },
  );

  /** Waits for one more file, and returns its name and its first bytes. The page stays where it is. */
  const saved = async (save: () => Promise<void>) => {
    const before = readdirSync(engine.downloads);
    const address = await tab.path();
    await save();
    const file = await tab.until('the file is saved', async () => {
      const whole = readdirSync(engine.downloads).filter((name) => !/part$|wkdownload$/.test(name));
      const name = whole.find((one) => !before.includes(one));
      return name && statSync(path.join(engine.downloads, name)).size > 0 && name;
    });
    expect(await tab.path()).toBe(address);
    return { name: file, start: readFileSync(path.join(engine.downloads, file)).toString('latin1', 0, 12) };
  };

  /** Opens the picture. The mouse could miss it, because the list moves until a sent message is at its place. */
  const openPicture = () =>
    tab.until('the picture is open', () =>
      engine.call(() => {
        document.querySelector<HTMLElement>('[aria-label="Look at Your picture"]')?.click();
        return document.querySelector('dialog[open]') !== null;
      }),
    );

  await step(
    'a picture is saved with the name and the type of its bytes, before and after it is sent',
    async () => {
      await openPicker(tab);
      const base64 = await engine.call(drawHalfTransparent);
      await engine.call(holdUploads);
      await engine.call(chooseFiles, CHOOSE_PICTURES, [{ name: 'half.png', type: 'image/png', base64 }]);
      const before = await engine.call(countPictureMessages, peer.id);
      await tab.click(button('Send'));
      await openPicture();
      const unsent = await saved(() => tab.click(link('Save picture')));
      expect(unsent).toMatchObject({
        name: 'heartward-picture-1.png',
        start: expect.stringContaining('PNG'),
      });
      await tab.open(`/messages/${peer.id}`);
      await tab.until('the picture is sent', async () => {
        return (await engine.call(countPictureMessages, peer.id)) > before;
      });
      await tab.open(`/messages/${peer.id}`);
      await openPicture();
      const sent = await saved(() => tab.click(link('Save picture')));
      expect(sent.start).toMatch(/^RIFF.{4}WEBP$/s);
      // Firefox prefers the name that the server gives to the file.
      expect(sent.name).toBe(project.name === 'firefox' ? 'image.webp' : 'heartward-picture-1.webp');
      await tab.click(button('Close'));
    },
  );

  await step('a photo whose name and type are those of another format is stored as it is', async () => {
    await tab.open(`/messages/${peer.id}`);
    await openPicker(tab);
    const before = await engine.call(countPictureMessages, peer.id);
    const panorama = { ...endlessPhoto(), name: 'panorama.png', type: 'image/png' };
    await engine.call(chooseFiles, CHOOSE_PICTURES, [panorama]);
    await tab.click(button('Send'));
    await tab.until('the picture is sent', async () => {
      return (await engine.call(countPictureMessages, peer.id)) > before;
    });
    const [stored = ''] = (await engine.call(readNewest, peer.id)).files;
    expect(quartersOf(stored)).toEqual(['F00', '0F0', '00F', 'FFF']);
  });

  await step('a recording that is saved by its address has the name of its type', async () => {
    const files = await server.query<{ id: string; content_type: string }>(
      `SELECT DISTINCT ON (f.content_type) f.id, f.content_type FROM files f
       JOIN member_media m ON m.file_id = f.id WHERE f.owner_id = $1 AND f.content_type NOT LIKE 'image/%'`,
      [me.id],
    );
    expect(files.length).toBeGreaterThan(0);
    for (const { id, content_type } of files) {
      const ending = { 'audio/mp4': 'm4a', 'audio/webm': 'webm', 'video/mp4': 'mp4', 'video/webm': 'webm' }[
        content_type
      ];
      const { name, start } = await saved(() => engine.call(saveAddress, `/files/${id}/media`));
      expect(name).toBe(`${content_type.split('/')[0]}.${ending}`);
      expect(start).toMatch(content_type.endsWith('mp4') ? /^.{4}ftyp/s : /^.E\xDF\xA3/s);
    }
  });

  await step('the code of the invitation, and the calendar entry of a date, are saved', async () => {
    await tab.open('/referrals');
    await tab.click(button('QR code'));
    const code = await saved(() => tab.click(button('Download')));
    expect(code).toMatchObject({ name: 'heartward-invitation.svg', start: expect.stringMatching(/^<svg /) });
    await tab.open('/dates');
    const entry = await saved(() => tab.click(link('Add to calendar')));
    expect(entry).toMatchObject({
      name: 'heartward-date.ics',
      start: expect.stringMatching(/^BEGIN:VCALEN/),
    });
  });

  await step('an admin saves the list of members', async () => {
    await server.query('UPDATE users SET is_admin = true WHERE id = $1', [me.id]);
    await tab.open('/admin/dashboard/users');
    const list = await saved(() => tab.click(button('Save as CSV')));
    expect(list).toMatchObject({
      name: 'heartward-members.csv',
      start: expect.stringMatching(/^\xEF\xBB\xBF"id"/),
    });
  });

  await step('the export of the own data is saved as an archive, and the page stays', async () => {
    await server.query('UPDATE sessions SET proved_at = now() WHERE user_id = $1', [me.id]);
    await tab.open('/profile?tab=settings');
    await tab.click(button('Ask for my data'));
    const { name, start } = await saved(() => tab.click(button('Download')));
    expect(name).toMatch(/^heartward-\d{4}-\d{2}-\d{2}\.zip$/);
    expect(start).toMatch(/^PK/);
    await tab.waitForText('You downloaded your file on');
  });

  await step('notifications that this browser does not set up are not called on', async () => {
    await tab.open('/settings');
    if (project.name === 'webkit') {
      await tab.waitForText('This browser cannot show notifications.');
      return;
    }
    await tab.click(button('Turn on'));
    await tab.click(button('Continue'));
    await tab.waitForText('this browser did not set them up');
    await tab.waitFor(button('Turn on'));
    expect(await server.query('SELECT 1 FROM push_subscriptions WHERE user_id = $1', [me.id])).toEqual([]);
  });
});
