import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { waitForCandidates } from './support/deck.ts';
import { portraitFile } from './support/editor.ts';
import { hideAllMembers } from './support/people.ts';
import { bubbles, composer, join, type Person, sendMessage, ticks } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** The status shown in place of the composer. */
const waitingForBen = (page: Page) =>
  page.getByRole('status').filter({ hasText: "Waiting for Ben's answer" });

/** Signs up Ann and Ben, who have not matched, and sends a request from Ann to Ben. */
async function sendRequest(a: BrowserContext, b: BrowserContext, server: Server, name: string) {
  const ann = await join(a, server, `Ann ${name}`);
  const ben = await join(b, server, `Ben ${name}`);
  const pageA = await a.newPage();
  await pageA.goto(`/messages/${ben.id}`);
  await pageA.getByRole('textbox', { name: 'Your message to Ben' }).fill('Your garden looks lovely.');
  await pageA.getByRole('button', { name: 'Send request' }).click();
  await expect(waitingForBen(pageA)).toBeVisible();
  return { ann, ben, pageA };
}

async function openRequest(phone: BrowserContext): Promise<Page> {
  const page = await phone.newPage();
  await page.goto('/messages');
  await page.getByRole('button', { name: /^Requests/ }).click();
  await page.getByRole('link', { name: /Your garden looks lovely/ }).click();
  await expect.poll(() => bubbles(page)).toEqual(['Your garden looks lovely.']);
  return page;
}

test('a request has no read receipts, becomes a conversation when it is accepted, and can be left for good', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA } = await sendRequest(phoneA, phoneB, server, 'Asks');
  await expect.poll(() => bubbles(pageA)).toEqual(['Your garden looks lovely.']);
  await expect(composer(pageA)).toHaveCount(0);
  const phoneSize = pageA.viewportSize() ?? { width: 390, height: 844 };
  await pageA.setViewportSize({ width: 1024, height: 768 });
  const requests = pageA.getByRole('button', { name: /^Requests/ });
  await expect(requests, 'the list beside it shows the Requests tab').toHaveAttribute('aria-pressed', 'true');
  await pageA.setViewportSize(phoneSize);
  const pageB = await openRequest(phoneB);
  await expect(pageB.getByRole('button', { name: 'Decline' })).toBeVisible();
  await expect(ticks(pageA, 'read'), 'no read receipt before it is accepted').toHaveCount(0);
  await pageB.getByRole('button', { name: 'Accept' }).click();
  await expect(composer(pageB)).toBeEditable();
  await expect(composer(pageA), 'live').toBeEditable();
  await sendMessage(pageB, 'Thank you!');
  await expect.poll(() => bubbles(pageA)).toEqual(['Your garden looks lovely.', 'Thank you!']);
  await pageA.goto('/messages');
  await pageA.getByRole('link', { name: /Thank you!/ }).click();

  await pageA.getByRole('button', { name: 'Options for Ben' }).click();
  await pageA.getByRole('button', { name: /^Leave conversation/ }).click();
  await pageA
    .getByRole('dialog', { name: 'Leave this conversation?' })
    .getByRole('button', { name: 'Leave' })
    .click();
  await expect(pageA.getByRole('heading', { name: 'No conversations yet' })).toBeVisible();
  await expect(composer(pageB)).toHaveCount(0);
});

test('the writer of a request reads the profile and begins with an opener, and the recipient reads the sender', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Ann Reads', { bio: 'Roses and rain.' });
  const ben = await join(phoneB, server, 'Ben Reads');
  const profile = (occupation: string, question: string, answer: string) => ({
    data: { occupation, prompts: [{ question, answer }] },
  });
  await phoneA.request.patch('/api/users/me', profile('Gardener', 'Together we could', 'Plant a hedge'));
  await phoneB.request.patch('/api/users/me', profile('Baker', 'A perfect Sunday', 'Bread at six'));
  const facts = { gender: 'man', heightCm: 180, pronouns: ['He/him'], drinking: ['Drinks socially'] };
  await phoneB.request.patch('/api/users/me', { data: facts });
  await addPhoto(phoneB, readFileSync(portraitFile));
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();

  await test.step('while writing', async () => {
    await page.goto(`/messages/${ben.id}`);
    const about = page.getByRole('region', { name: 'About Ben' });
    await expect(about).toContainText('Baker');
    await expect(about).toContainText('Bread at six');
    await expect(about).toContainText('Drinks socially');
    const photo = await about.getByRole('img', { name: 'Ben’s photo' }).boundingBox();
    expect((photo?.width ?? 0) / (photo?.height ?? 1), 'beside many facts').toBeCloseTo(4 / 5, 2);
    const field = page.getByRole('textbox', { name: 'Your message to Ben' });
    await page.getByRole('button', { name: /“Bread at six\.”/ }).click();
    await expect(field).toHaveValue(/“Bread at six\.”/);
    await expect(field).toBeFocused();
    await page.getByRole('button', { name: 'Send request' }).click();
    await expect(waitingForBen(page)).toBeVisible();
  });

  await test.step('in the deck and the grid the recipient is marked', async () => {
    await page.goto('/');
    await expect(page.getByTestId('top-card')).toContainText('Request sent');
    await page.goto('/discover');
    await expect(page.getByRole('article').getByText('Request sent')).toBeVisible();
    await page.getByRole('link', { name: 'See your request to Ben Reads' }).click();
    await expect(waitingForBen(page)).toBeVisible();
  });

  await test.step('before accepting', async () => {
    const pageB = await phoneB.newPage();
    await pageB.goto('/messages');
    await pageB.getByRole('button', { name: /^Requests/ }).click();
    await pageB.getByRole('link', { name: /Bread at six/ }).click();
    const about = pageB.getByRole('region', { name: 'About Ann' });
    await expect(about).toContainText('Gardener');
    await expect(about).toContainText('Roses and rain.');
    await expect(about).toContainText('Plant a hedge');
    await pageB.getByRole('button', { name: 'Accept' }).click();
    await expect(composer(pageB)).toBeEditable();
    await expect(about, 'then it is a conversation like others').toHaveCount(0);
  });
});

test('a declined request disappears for the recipient and stays pending for the sender', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA } = await sendRequest(phoneA, phoneB, server, 'Declined');
  const pageB = await openRequest(phoneB);
  await pageB.getByRole('button', { name: 'Decline' }).click();
  await expect(pageB.getByRole('heading', { name: /No (conversations yet|requests)/ })).toBeVisible();
  await pageA.reload();
  await expect(waitingForBen(pageA)).toBeVisible();
  await pageB.reload();
  await expect(pageB.getByText('Your garden looks lovely.')).toHaveCount(0);
});

test('the recipient of a request can block its sender', async ({ phoneA, phoneB, server }) => {
  const { pageA } = await sendRequest(phoneA, phoneB, server, 'Blocked');
  const pageB = await openRequest(phoneB);
  await pageB.getByRole('button', { name: 'Block', exact: true }).click();
  await pageB.getByRole('dialog', { name: 'Block Ann?' }).getByRole('button', { name: 'Block' }).click();
  await expect(pageB.getByText('Ann is blocked')).toBeVisible();
  await expect(waitingForBen(pageA)).toBeHidden();
});

test('offline a request explains that it cannot be sent, and its text is kept', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Ann Offline');
  const ben: Person = await join(phoneB, server, 'Ben Offline');
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  const field = page.getByRole('textbox', { name: 'Your message to Ben' });
  await field.fill('Are you there?');
  await phoneA.setOffline(true);
  await expect(page.getByText(/a request can be sent once you're online/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send request' })).toBeDisabled();
  await phoneA.setOffline(false);
  await page.reload();
  await expect(field).toHaveValue('Are you there?');
});

test('a message button on the card, in More About and on the profile opens a request', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  const ann = await join(phoneA, server, 'Ann Button');
  const ben = await join(phoneB, server, 'Ben Button');
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  const field = page.getByRole('textbox', { name: 'Your message to Ben' });

  await test.step('in More About of the deck', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'More about Ben' }).click();
    await page.getByRole('link', { name: 'Message Ben' }).click();
    await expect(field).toBeVisible();
    await expect(page, 'the panel is closed').toHaveURL(`/messages/${ben.id}`);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('on the profile', async () => {
    await page.goto(`/profile/${ben.id}`);
    await page.getByRole('link', { name: 'Message Ben' }).click();
    await expect(field).toBeVisible();
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page, 'back to where Ben was found').toHaveURL(`/profile/${ben.id}`);
  });

  await test.step('on the card of the grid', async () => {
    await page.goto('/discover');
    await page.getByRole('link', { name: 'Message Ben Button' }).click();
    await field.fill('Your garden looks lovely.');
    await page.getByRole('button', { name: 'Send request' }).click();
    await expect(waitingForBen(page)).toBeVisible();
  });

  await expect
    .poll(() =>
      server.query('SELECT count(*)::int AS sent FROM messages WHERE sender_id = $1 AND content = $2', [
        ann.id,
        'Your garden looks lovely.',
      ]),
    )
    .toEqual([{ sent: 1 }]);
});
