import type { BrowserContext, Page } from '@playwright/test';
import { top, waitForCandidates } from './support/deck.ts';
import { Finger } from './support/finger.ts';
import { addPeople, hideAllMembers } from './support/people.ts';
import { join, newPhone, type Person, signInOn, waitForServiceWorker, withWorker } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const customizeButton = (page: Page) => page.getByRole('button', { name: 'Customize Search' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Advanced Filters' });
const group = (page: Page, name: string) => page.locator('summary', { hasText: name });
const applyButton = (page: Page) => page.getByRole('button', { name: /^Apply Filters/ });
const expectFound = (page: Page, people: number) =>
  expect(
    page.getByRole('heading', { name: `Found ${people} compatible ${people === 1 ? 'match' : 'matches'}` }),
  ).toBeVisible();

/** Signs up Dora among members of 31 and two of 45 years. */
async function joinAmongAges(phone: BrowserContext, server: Server): Promise<Person> {
  await hideAllMembers(server);
  const me = await join(phone, server, 'Dora Deck');
  await addPeople(server, 'Bea', 'Cleo', 'Dan');
  const older = await addPeople(server, 'Olga', 'Otto');
  await server.query(
    "UPDATE users SET birth_date = now() - interval '45 years 2 months' WHERE id = ANY ($1::uuid[])",
    [older.map(({ id }) => id)],
  );
  await waitForCandidates(phone, 5);
  return me;
}

test('a changed filter updates the count at once; Apply stores it for every device', async ({
  browser,
  phoneA,
  server,
}) => {
  const me = await joinAmongAges(phoneA, server);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await expectFound(page, 5);
  await customizeButton(page).click();
  await expect(panel(page)).toBeVisible();
  const beyond = await panel(page).evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => [
    scrollHeight - clientHeight,
    scrollWidth - clientWidth,
  ]);
  expect(beyond, 'its content scrolls, and the sheet cannot be dragged away').toEqual([0, 0]);
  await expect(page.getByRole('button', { name: 'Clear All' })).toBeHidden();
  await expect(applyButton(page)).toContainText('Show 5 people');
  await page.getByRole('slider', { name: 'Youngest age' }).fill('40');
  await expect(panel(page)).toContainText('40 to 65');
  await expect(applyButton(page)).toContainText('Show 2 people');
  await page.getByRole('button', { name: 'Clear All' }).click();
  await expect(applyButton(page)).toContainText('Show 5 people');
  await page.getByRole('slider', { name: 'Oldest age' }).fill('40');
  await page.getByRole('switch', { name: 'Anywhere' }).check();
  await expect(page.getByRole('slider', { name: 'Distance' })).toBeDisabled();
  await expect(applyButton(page)).toContainText('Show 3 people');
  await applyButton(page).click();
  await expect(panel(page)).toBeHidden();
  await expect(customizeButton(page)).toBeFocused();
  await expectFound(page, 3);
  await expect(page.getByText('2 active')).toBeVisible();

  await test.step('the deck and another device use the new filters', async () => {
    await page.getByRole('link', { name: 'For You' }).click();
    await expect(page.getByText('1 of 3 matches')).toBeVisible();
    const tablet = await newPhone(browser, server.url);
    await signInOn(tablet, server, me);
    const otherPage = await tablet.newPage();
    await otherPage.goto('/discover');
    await expectFound(otherPage, 3);
    await customizeButton(otherPage).click();
    await otherPage.getByRole('button', { name: 'Reset to Default' }).click();
    await expect(applyButton(otherPage)).toContainText('Show 5 people');
    await applyButton(otherPage).click();
    await expectFound(otherPage, 5);
    await expect(otherPage.getByText(/^\d+ active$/)).toHaveCount(0);
    await tablet.close();
  });

  await test.step('a change on the other device arrives when the tab becomes visible', async () => {
    await page.getByRole('link', { name: 'Discover' }).click();
    await expect(page.getByRole('heading', { name: /^Found/ })).toBeVisible(); // the listeners are attached by then
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expectFound(page, 5);
  });
});

test('thumbs follow the finger and never pass each other', async ({ phoneA, server }) => {
  await joinAmongAges(phoneA, server);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await customizeButton(page).click();
  const youngest = page.getByRole('slider', { name: 'Youngest age' });
  // Both ends of the track, so that the thumbs start where the finger comes down.
  await page.getByRole('slider', { name: 'Oldest age' }).fill('80');
  await expect(youngest).toBeVisible();
  let box = { x: 0, y: 0, width: 0, height: 0 };
  // Wait until the panel's animation has ended.
  await expect
    .poll(async () => {
      const before = box.y;
      box = (await youngest.boundingBox()) ?? box;
      return box.y === before;
    })
    .toBe(true);
  const y = box.y + box.height / 2;
  const finger = await Finger.on(page);
  await finger.down({ x: box.x + 22, y });
  await finger.move({ x: box.width / 2 - 22, y: 0 }, 300);
  await finger.up();
  const meetingPoint = Number(await youngest.inputValue());
  expect(meetingPoint).toBeGreaterThan(43);
  expect(meetingPoint).toBeLessThan(55);

  const oldest = page.getByRole('slider', { name: 'Oldest age' });
  await finger.down({ x: box.x + box.width - 22, y });
  await finger.move({ x: -box.width + 60, y: 0 }, 300);
  await finger.up();
  await expect(oldest).toHaveValue(String(meetingPoint));
  await expect(youngest).toHaveValue(String(meetingPoint));
});

test('without results, suggestions say how many members each relaxed filter would add, and apply it by one tap', async ({
  browser,
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  for (const name of ['Sia Sound', 'Sol Sound']) {
    const farPhone = await newPhone(browser, server.url);
    await join(farPhone, server, name, { city: 'Seattle', state: 'WA' });
    await farPhone.close();
  }
  // The search index contains both.
  await expect
    .poll(async () => {
      const data = { filters: { location: { maxDistance: null } } };
      const response = await phoneA.request.post('/api/discovery/preview', { data });
      return ((await response.json()) as { count: number }).count;
    })
    .toBe(2);
  const page = await phoneA.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  await expect(
    page.getByRole('button', { name: /^Widen the distance to \d+ miles: 2 people$/ }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change filters' })).toBeVisible();
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: 'No matches found' })).toBeVisible();
  await page.getByRole('button', { name: /^Widen the distance to \d+ miles: 2 people$/ }).click();
  await expectFound(page, 2);
  await expect(page.getByText('1 active')).toBeVisible();

  await customizeButton(page).click();
  await group(page, 'Compatibility and order').click();
  await page.getByRole('switch', { name: 'Featured members only' }).check();
  await expect(panel(page)).toContainText('No one fits all of this right now.');
  await expect(applyButton(page)).toContainText('Show 0 people');
  await applyButton(page).click();
  await expect(page.getByRole('heading', { name: 'No matches found' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expect(page.getByText(/^\d+ active$/)).toHaveCount(0);
});

test('the religion filter is available to members who have stated their own religion', async ({
  phoneA,
  server,
}) => {
  await joinAmongAges(phoneA, server);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await customizeButton(page).click();
  await group(page, 'Deal-breakers').click();
  const religion = page.getByRole('combobox', { name: 'Religion' });
  await expect(religion).toBeDisabled();
  await expect(panel(page)).toContainText('Add yours to your profile first, and let it count in matching.');
  await phoneA.request.patch('/api/users/me', { data: { religion: 'spiritual', religionCounts: true } });
  await page.reload();
  await customizeButton(page).click();
  await group(page, 'Deal-breakers').click();
  await religion.selectOption('Buddhist');
  await expect(applyButton(page)).toContainText('Show 0 people');
  await expect(panel(page)).toContainText('No one fits all of this right now.');
});

test('offline the filters are shown and explain why they cannot be changed', async ({
  browser,
  ownServer,
}) => {
  const phone = await newPhone(browser, ownServer.url, withWorker);
  await joinAmongAges(phone, ownServer);
  const page = await phone.newPage();
  await page.goto('/discover');
  await expectFound(page, 5);
  await customizeButton(page).click();
  await page.getByRole('slider', { name: 'Youngest age' }).fill('40');
  await expect(applyButton(page)).toContainText('Show 2 people');
  await applyButton(page).click();
  await expectFound(page, 2);
  await waitForServiceWorker(page);
  await ownServer.stop();
  await page.reload();
  await expectFound(page, 2);
  await phone.setOffline(true);
  await customizeButton(page).click();
  await expect(page.getByRole('slider', { name: 'Youngest age' })).toHaveValue('40');
  await expect(applyButton(page)).toBeDisabled();
  await expect(panel(page)).toContainText("You're offline. Filters can be changed when you are back.");
  await phone.close();
});

test('on a wide screen the panel is part of the page and works by keyboard alone', async ({
  phoneA,
  server,
}) => {
  await joinAmongAges(phoneA, server);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/discover');
  await expectFound(page, 5);
  await expect(customizeButton(page), 'the filters are loaded').toBeEnabled();
  await customizeButton(page).focus();
  await page.keyboard.press('Enter');
  const region = page.getByRole('region', { name: 'Advanced Filters' });
  await expect(region).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(customizeButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(region).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close filters' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Women', exact: true })).toBeFocused();
  await page.getByRole('slider', { name: 'Youngest age' }).focus();
  for (let year = 18; year < 40; year += 1) await page.keyboard.press('ArrowRight');
  await expect(region).toContainText('40 to 65');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await expect(region, 'the oldest stops at the youngest').toContainText('40 to 40');
  await page.keyboard.press('End');
  await expect(applyButton(page)).toContainText('Show 2 people');
  await expectFound(page, 2); // the list shows a change at once
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expectFound(page, 5); // without Apply nothing is stored
  await expect(page.getByText(/^\d+ active$/)).toHaveCount(0);

  await page.keyboard.press('Enter');
  const beside = group(page, 'Where they live');
  const top = (await beside.boundingBox())?.y;
  await group(page, 'Deal-breakers').click();
  await expect(page.getByText('Smoking', { exact: true })).toBeVisible();
  expect((await beside.boundingBox())?.y, 'an opened group moves its own column alone').toBe(top);
  await page.getByRole('slider', { name: 'Youngest age' }).fill('40');
  await expect(applyButton(page)).toContainText('Show 2 people');
  await applyButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(customizeButton(page)).toBeFocused();
  await expectFound(page, 2);
});

test('the settings show the same editor, and the genders in it are those of the profile', async ({
  phoneA,
  server,
}) => {
  await joinAmongAges(phoneA, server);
  await server.query("UPDATE users SET gender = 'woman', height_cm = 182 WHERE full_name LIKE 'Bea%'");
  await server.query("UPDATE users SET gender = 'man' WHERE full_name LIKE 'Dan%'");
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByRole('link', { name: /^Who you want to see/ }).click();
  await expect(page.getByRole('tab', { name: 'Filters' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Women', exact: true }).click();
  await page.getByRole('slider', { name: 'Oldest age' }).fill('40');
  // Bea, and Cleo, who has not stated a gender.
  await expect(applyButton(page)).toContainText('Show 2 people');
  await applyButton(page).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const me = (await (await phoneA.request.get('/api/auth/user')).json()) as { interestedIn: string[] };
  expect(me.interestedIn).toEqual(['woman']);

  await page.goto('/discover');
  await expectFound(page, 2);
  await expect(page.getByText('2 active'), 'the age and the genders').toBeVisible();
  await customizeButton(page).click();
  await expect(page.getByRole('button', { name: 'Women', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await group(page, 'Height').click();
  await page.getByRole('slider', { name: 'Shortest height' }).fill('180');
  await expect(applyButton(page)).toContainText('Show 1 person');
  await applyButton(page).click();
  await expectFound(page, 1);
  await page.getByRole('link', { name: 'For You' }).click();
  await expect(top(page)).toBeVisible();
  await expect(page.getByText('1 of 1 matches')).toBeVisible();

  await page.goto('/settings?tab=filters');
  await expect(page.getByText('180 cm (5′11″) or more')).toBeVisible();
  await page.getByRole('button', { name: 'Reset to Default' }).click();
  await expect(page.getByRole('button', { name: 'Women', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByText('18 to 65')).toBeVisible();
});
