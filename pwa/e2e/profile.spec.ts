import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { cropAndUse, openEditor, openSection, portraitFile } from './support/editor.ts';
import { centreOf, Finger } from './support/finger.ts';
import { join } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

/** Returns the ids of the member's photos on the server, in order. */
async function photosOf(phone: BrowserContext): Promise<string[]> {
  const me = (await (await phone.request.get('/api/auth/user')).json()) as { photos: { id: string }[] };
  return me.photos.map(({ id }) => id);
}

/** A birthday of a member who joined with the age of 31. */
const birthday = `${new Date().getUTCFullYear() - 32}-12-31`;

const upload = (phone: BrowserContext) => addPhoto(phone, readFileSync(portraitFile));

test('saving a section sends only the changed fields', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Edda Edit');
  const page = await phoneA.newPage();
  const patches: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches.push(request.postDataJSON());
  });
  await openEditor(page);
  const about = await openSection(page, 'About you');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(about).toBeHidden();
  expect(patches, 'nothing changed, nothing sent').toEqual([]);

  await openSection(page, 'About you');
  await page.getByLabel('Bio').fill('Now with a garden.');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  await expect(page.getByRole('button', { name: /About you/ })).toContainText('Now with a garden.');

  const basics = await openSection(page, 'Name, birthday, height');
  await page.getByLabel('Height in cm').fill('173');
  await expect(basics.getByText('173 cm (5′8″)')).toBeVisible();
  await page.getByLabel('Height in cm').fill('20');
  await basics.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Height in cm')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Height in cm').fill('');
  await basics.getByRole('button', { name: 'Save' }).click();
  await expect(basics).toBeHidden();
  expect(patches).toEqual([{ bio: 'Now with a garden.' }, { heightCm: 20 }]);
});

test('the fields of a profile are stored and shown again, and other members see the public ones', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const edda = await join(phoneA, server, 'Edda Whole');
  await join(phoneB, server, 'Otto Other');
  const page = await phoneA.newPage();
  await openEditor(page);
  const fill = async (section: string, enter: () => Promise<unknown>) => {
    const sheet = await openSection(page, section);
    await enter();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet).toBeHidden();
  };
  const choose = async (...names: string[]) => {
    for (const name of names) await page.getByRole('button', { name, exact: true }).click();
  };
  await fill('About you', async () => {
    await page.getByLabel('Bio').fill('Gardens and trains.');
    await page.getByLabel('What does love mean').fill('Being awaited.');
  });
  await fill('Prompts', async () => {
    await page.getByRole('button', { name: 'Add a prompt' }).click();
    await page.getByRole('tab', { name: 'Together' }).click();
    await page.getByRole('button', { name: 'Together we could' }).click();
    await page.getByLabel('Your answer').fill('plant a pear tree');
  });
  await fill('Gender and pronouns', async () => {
    await page.getByLabel('Gender', { exact: true }).selectOption({ label: 'Nonbinary' });
  });
  await fill("What you're looking for", () => choose('Friendship', 'Life partner'));
  await fill('Name, birthday, height', async () => {
    await page.getByLabel('Full Name').fill('Edda Garden');
    await page.getByLabel('Birthday', { exact: true }).fill(birthday);
    await page.getByLabel('Height in cm').fill('168');
  });
  await fill('Work, children, beliefs', async () => {
    await page.getByLabel('Occupation').fill('Train driver');
    await page.getByLabel('Education').selectOption({ label: "Master's degree" });
    await page.getByLabel('I have children').selectOption('No');
    await page.getByLabel('I want children').selectOption('Yes');
    await page.getByLabel('Religion').selectOption('Buddhist');
    const counts = page.getByRole('switch', { name: 'Count this in matching' });
    await expect(counts, 'an answer counts only after a yes').not.toBeChecked();
    await counts.click();
  });
  await fill('Languages, habits, pets', async () => {
    await choose('English', 'Show all 54', 'Swahili', 'Dog', 'Would like a pet');
    await page.getByLabel('Drinking').selectOption('Rarely drinks');
    await page.getByLabel('Smoking').selectOption('Never smokes');
  });
  await fill('Personality and lifestyle', () => choose('Curious', 'Thoughtful', 'Early bird'));

  const me = (await (await phoneA.request.get('/api/auth/user')).json()) as Record<string, unknown>;
  expect(me).toMatchObject({
    fullName: 'Edda Garden',
    birthDate: birthday,
    bio: 'Gardens and trains.',
    loveReflection: 'Being awaited.',
    prompts: [{ question: 'Together we could', answer: 'plant a pear tree', voice: null }],
    gender: 'nonbinary',
    intentionTags: ['Long-term', 'Friendship'],
    relationshipGoals: ['Life partner'],
    heightCm: 168,
    occupation: 'Train driver',
    education: 'masters',
    hasChildren: false,
    wantsChildren: true,
    religion: 'buddhist',
    religionCounts: true,
    personalityTraits: ['Curious', 'Thoughtful'],
    lifestylePreferences: ['Early bird'],
    languages: ['English', 'Swahili'],
    drinking: ['Rarely drinks'],
    smoking: ['Never smokes'],
    pets: ['Dog', 'Would like a pet'],
  });

  await page.reload();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await openSection(page, 'Work, children, beliefs');
  await expect(page.getByLabel('Religion')).toHaveValue('buddhist');
  await expect(page.getByLabel('I want children')).toHaveValue('yes');

  const other = await phoneB.newPage();
  await other.goto(`/profile/${edda.id}`);
  const main = other.getByRole('main');
  for (const text of [
    'Gardens and trains.',
    'Being awaited.',
    'plant a pear tree',
    'Life partner',
    'Train driver',
    '168 cm (5′6″)',
    'Nonbinary',
    'No children, wants children',
    'Curious',
    'Early bird',
    'English, Swahili',
    'Rarely drinks',
    'Never smokes',
    'Dog, Would like a pet',
  ])
    await expect(main.getByText(text, { exact: true }).or(main.getByText(`“${text}”`))).toBeVisible();
  await expect(main).not.toContainText('Buddhist');
});

test('a town is found and picked by keyboard and sets its state; a town that is not listed is accepted too', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Tilda Town');
  const page = await phoneA.newPage();
  await openEditor(page);
  const town = await openSection(page, 'Town');
  const city = page.getByRole('combobox', { name: 'City' });
  await city.fill('savann');
  await expect(page.getByRole('option').first()).toContainText('Savannah');
  await city.press('ArrowDown');
  await expect(city).toHaveAttribute('aria-activedescendant', /.+/);
  await city.press('Enter');
  await expect(city).toHaveValue('Savannah');
  await expect(page.getByLabel('State')).not.toHaveValue('OR');
  await expect(page.getByRole('listbox')).toBeHidden();

  await city.fill('Sa');
  await expect(page.getByRole('option').first()).toBeVisible();
  await city.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(town, 'Escape closes only the list').toBeVisible();

  await phoneA.setOffline(true);
  await city.fill('Little Nowhere');
  await phoneA.setOffline(false);
  await page.getByLabel('State').fill('Elsewhere');
  await town.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile saved, but we do not know this town')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Town/ })).toContainText('Little Nowhere, Elsewhere');
  await openSection(page, 'Town');
  await expect(town.getByText(/^We don't know this town\./)).toBeVisible();
  await city.fill('München');
  await page.getByLabel('State').fill('Bayern');
  await town.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile saved', { exact: true })).toBeVisible();
});

test('photos are added, reordered by button, mouse and finger, and deleted', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Fay Photos');
  const a = await upload(phoneA);
  const b = await upload(phoneA);
  const page = await phoneA.newPage();
  await openEditor(page);
  await page.locator('input[type=file]').setInputFiles(portraitFile);
  await cropAndUse(page);
  await expect(page.getByRole('img', { name: 'Photo 3', exact: true })).toBeVisible();
  const [, , c = ''] = await photosOf(phoneA);

  // Two moves at once, the first still in flight: the second one wins.
  const secondMove = Promise.withResolvers<void>();
  await page.route(
    '**/api/users/me/photos/order',
    async (route) => {
      await secondMove.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Move photo 3 earlier' }).click();
  await page.getByRole('button', { name: 'Move photo 2 earlier' }).click();
  secondMove.resolve();
  await expect.poll(() => photosOf(phoneA)).toEqual([c, a, b]);
  await expect(page.getByRole('img', { name: 'Photo 1', exact: true })).toHaveAttribute(
    'src',
    `/files/${c}/thumb.webp`,
  );
  await page.getByRole('button', { name: 'Move photo 2 earlier' }).click();
  await expect.poll(() => photosOf(phoneA)).toEqual([a, c, b]);

  // The drag begins only after the new order is drawn.
  await expect(page.getByRole('img', { name: 'Photo 2', exact: true })).toHaveAttribute(
    'src',
    `/files/${c}/thumb.webp`,
  );
  const one = await centreOf(page.getByRole('img', { name: 'Photo 1', exact: true }));
  const two = await centreOf(page.getByRole('img', { name: 'Photo 2', exact: true }));
  await page.mouse.move(one.x, one.y);
  await page.mouse.down();
  await page.mouse.move(two.x, two.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => photosOf(phoneA)).toEqual([c, a, b]);

  // A long press picks the photo up; the page does not scroll under it.
  await expect(page.getByRole('img', { name: 'Photo 2', exact: true })).toHaveAttribute(
    'src',
    `/files/${a}/thumb.webp`,
  );
  const finger = await Finger.on(page);
  await finger.down(two);
  await expect(page.getByTestId('dragged-photo')).toBeVisible();
  await finger.move({ x: one.x - two.x, y: 0 }, 300);
  await finger.up();
  await expect.poll(() => photosOf(phoneA)).toEqual([a, c, b]);

  await page.getByRole('button', { name: 'Delete photo 1' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this photo?' });
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('img', { name: 'Photo 3', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete photo 1' }).click();
  await question.getByRole('button', { name: 'Delete photo' }).click();
  await expect.poll(() => photosOf(phoneA)).toEqual([c, b]);
  await expect(page.getByRole('img', { name: 'Photo 3', exact: true })).toBeHidden();
  expect((await phoneA.request.get(`/files/${a}/thumb.webp`)).status()).toBe(404);
});

type Picture = { width: number; height: number; caption: string; url: string };
type Pictures = { photos: Picture[]; headerBannerImage: Picture | null };
const picturesOf = async (phone: BrowserContext) =>
  (await (await phone.request.get('/api/auth/user')).json()) as Pictures;

test('a photo is cropped by keyboard and described, and other members get its description', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const cleo = await join(phoneA, server, 'Cleo Crop');
  await join(phoneB, server, 'Otto Reader');
  const page = await phoneA.newPage();
  await openEditor(page);
  await page.locator('input[type=file]').setInputFiles(portraitFile);
  const zoom = page.getByRole('slider', { name: 'Zoom' });
  await expect(zoom, 'the picture is decoded').toHaveValue('1');
  for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp'])
    await page.getByRole('application', { name: /Your photo/ }).press(key);
  await expect(zoom).toHaveValue('1.56');
  await cropAndUse(page);
  await expect(page.getByRole('img', { name: 'Photo 1', exact: true })).toBeVisible();
  const [photo] = (await picturesOf(phoneA)).photos;
  expect((photo?.width ?? 0) / (photo?.height ?? 1)).toBeCloseTo(4 / 5, 1);

  await page.getByRole('button', { name: 'Describe photo 1' }).click();
  const describe = page.getByRole('dialog', { name: 'Describe photo 1' });
  await describe.getByLabel('Description').fill('Cleo on a hill in the evening');
  await describe.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('img', { name: 'Photo 1: Cleo on a hill in the evening' })).toBeVisible();
  const other = await phoneB.newPage();
  await other.goto(`/profile/${cleo.id}`);
  await expect(other.getByRole('img', { name: 'Cleo on a hill in the evening' })).toBeVisible();
});

test('a banner is cropped wide, shown, and removed', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Bea Banner');
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Header banner');
  await sheet.locator('input[type=file]').setInputFiles(portraitFile);
  await cropAndUse(page);
  await expect(page.getByRole('img', { name: 'Your header banner' })).toBeVisible();
  const banner = (await picturesOf(phoneA)).headerBannerImage;
  expect((banner?.width ?? 0) / (banner?.height ?? 1)).toBeCloseTo(3, 0);
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete banner' }).click();
  await expect(page.getByRole('img', { name: 'Your header banner' })).toBeHidden();
  expect((await picturesOf(phoneA)).headerBannerImage).toBeNull();
});

test('a file that is not a picture, an interrupted upload, and a seventh photo are handled', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Rita Retry');
  const page = await phoneA.newPage();
  const files = page.locator('input[type=file]');
  await openEditor(page);

  await test.step('a file that is not a picture is rejected with a reason', async () => {
    const file = { name: 'letter.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('Dear heart,') };
    await files.setInputFiles(file);
    await expect(page.getByRole('alert')).toContainText(/picture|photo|image/i);
    await expect(page.getByLabel('Uploading photo')).toHaveCount(0);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await photosOf(phoneA)).toEqual([]);
  });

  await test.step('an interrupted upload says so and continues by itself', async () => {
    await page.route('**/api/users/me/photos', (route) => route.abort());
    await files.setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(page.getByRole('status').filter({ hasText: 'will continue automatically' })).toBeVisible();
    await page.unroute('**/api/users/me/photos');
    await expect(page.getByRole('img', { name: 'Photo 1', exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await photosOf(phoneA)).toHaveLength(1);
  });

  await test.step('six photos leave no room for a seventh', async () => {
    for (let count = 0; count < 4; count += 1) await upload(phoneA);
    await openEditor(page);
    await expect(page.getByRole('img', { name: 'Photo 5', exact: true })).toBeVisible();
    await files.setInputFiles([portraitFile, portraitFile, portraitFile]);
    await cropAndUse(page);
    await expect(page.getByRole('img', { name: 'Photo 6', exact: true })).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Crop your photo' })).toHaveCount(0);
    await expect(page.getByText('Add a photo')).toHaveCount(0);
    expect(await photosOf(phoneA)).toHaveLength(6);
  });
});

test('a member sees themselves as a stranger does, with what is private, and changes it', async ({
  phoneA,
  server,
}) => {
  const pia = await join(phoneA, server, 'Pia Preview');
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Preview' }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/${pia.id}$`));
  const note = page.getByRole('region', { name: 'How strangers see you' });
  await expect(note).toContainText('This is how strangers see you. Anyone here can come across it.');
  await expect(page.getByText('I am Pia Preview and I like slow mornings.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Like|Pass|Super Like)/ })).toHaveCount(0);
  await note.getByText('What they learn about you').click();
  await expect(note).toContainText('All of it: “Pia Preview”.');
  await expect(note).toContainText('Email addressNot shown to other members.');
  await expect(note).not.toContainText(pia.email);
  expect(await findSeriousViolations(page)).toEqual([]);

  await note.getByRole('link', { name: 'Change: Name' }).click();
  for (const name of ['First name only until we match', 'Incognito']) {
    const privacy = page.getByRole('switch', { name });
    await privacy.click();
    await expect(privacy).toBeChecked();
    await expect(privacy).toBeEnabled();
  }
  await page.getByRole('link', { name: 'See yourself as a stranger does' }).click();
  await expect(note).toContainText('You are incognito');
  await note.getByText('What they learn about you').click();
  await expect(note).toContainText('Only “Pia”.');
  await note.getByRole('link', { name: 'Back to your profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
