import type { BrowserContext, Page } from '@playwright/test';
import { countCelebrations } from './support/celebrations.ts';
import { centreOf, Finger } from './support/finger.ts';
import {
  bubbles,
  composer,
  join,
  keepCelebrationsOpen,
  match,
  newPhone,
  openConversation,
  type Person,
  sendMessage,
  ticks,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';
import {
  bubble,
  insertMessages,
  isInView,
  markAllRead,
  messageOf,
  openMenu,
  scrollUntil,
  thread,
} from './support/thread.ts';

type OpenPair = { ann: Person; ben: Person; pageA: Page; pageB: Page };

/** Signs up Ann and Ben, matches them, and opens their conversation on both phones. */
async function openOnBothPhones(
  a: BrowserContext,
  b: BrowserContext,
  server: Server,
  name: string,
): Promise<OpenPair> {
  const ann = await join(a, server, `Ann ${name}`);
  const ben = await join(b, server, `Ben ${name}`);
  await match(a, ann, b, ben);
  return { ann, ben, pageA: await openConversation(a, ben), pageB: await openConversation(b, ann) };
}

test('a reaction shows on both phones, is removed by a second tap, and can be removed offline', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'React');
  await sendMessage(pageB, 'I baked a cake');
  await expect(bubble(pageA, 'I baked a cake')).toBeVisible();
  await openMenu(pageA, 'I baked a cake');
  await pageA.getByRole('button', { name: 'React with 😍' }).click();
  const mine = messageOf(pageA, 'I baked a cake').getByRole('button', { name: /^😍/ });
  const theirs = messageOf(pageB, 'I baked a cake').getByRole('button', { name: /^😍/ });
  await expect(mine).toHaveAttribute('aria-pressed', 'true');
  await expect(theirs).toHaveAttribute('aria-pressed', 'false');
  await theirs.click();
  await expect(mine, 'both').toHaveText('😍2');

  await phoneA.setOffline(true);
  await mine.click();
  await expect(mine, 'the member’s own reaction disappears at once').toHaveAttribute('aria-pressed', 'false');
  await phoneA.setOffline(false);
  await expect(theirs).toHaveText('😍');
});

test('a reply quotes its message, and a tap on the quote scrolls to it', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Quote');
  const ben = await join(phoneB, server, 'Ben Quote');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 400);
  await markAllRead(server, ann.id);
  const pageA = await openConversation(phoneA, ben);
  await openMenu(pageA, 'message 400');
  await pageA.getByRole('button', { name: 'Reply' }).click();
  await expect(composer(pageA)).toBeFocused();
  await sendMessage(pageA, 'to the last');
  await expect(ticks(pageA, 'sent').or(ticks(pageA, 'delivered')).last()).toBeVisible();
  await expect(
    messageOf(pageA, 'to the last').getByRole('button', { name: /go to the message/ }),
  ).toContainText('message 400');
  // A message far above, which the other device has not stored yet.
  await server.query("UPDATE messages SET reply_to = 12 WHERE content = 'to the last'");
  const pageB = await openConversation(phoneB, ann);
  const quote = messageOf(pageB, 'to the last').getByRole('button', { name: /go to the message/ });
  await expect(quote).toContainText('message 12');
  await quote.click();
  await expect(bubble(pageB, 'message 12')).toBeInViewport();
  await pageB.getByRole('button', { name: /jump to the newest/i }).click();
  await expect(bubble(pageB, 'to the last')).toBeInViewport();
  await quote.click();
  await expect(bubble(pageB, 'message 12')).toBeInViewport();
  await pageB.evaluate(jumpAndFollowLink);
  await expect(bubble(pageB, 'message 13'), 'the later navigation wins').toBeInViewport();
});

/** In the page: jumps to the newest message and, while that still scrolls, navigates to message 13 as a link does. */
function jumpAndFollowLink(): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('main button')];
  const newest = buttons.find((button) => /jump to the newest/i.test(button.ariaLabel ?? ''));
  if (!newest) throw new Error('no button that jumps to the newest message');
  newest.click();
  history.pushState({ key: 'thirteen' }, '', '?at=13');
  dispatchEvent(new PopStateEvent('popstate', { state: { key: 'thirteen' } }));
}

test('a swipe to the right on a bubble starts a reply; a long press opens its menu, which stays when the finger is lifted', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'Finger');
  await sendMessage(pageB, 'pull me');
  await expect(bubble(pageA, 'pull me')).toBeVisible();
  const finger = await Finger.on(pageA);
  await finger.swipe(bubble(pageA, 'pull me'), { x: 90, y: 4 });
  await expect(pageA.getByRole('button', { name: 'Do not reply to this message' })).toBeVisible();
  await composer(pageA).fill('half an ans');
  await pageA.getByRole('link', { name: 'Back to messages' }).click();
  await expect(pageA.getByRole('link', { name: /Draft: half an ans/ })).toBeVisible();
  await pageA.reload();
  await pageA.getByRole('link', { name: /Draft: half an ans/ }).click();
  await expect(composer(pageA), 'the draft and its replied-to message are kept').toHaveValue('half an ans');
  await expect(pageA.getByRole('button', { name: 'Do not reply to this message' })).toBeVisible();
  await composer(pageA).fill('an answer');
  await composer(pageA).press('Enter');
  await expect(
    messageOf(pageB, 'an answer').getByRole('button', { name: /go to the message/ }),
  ).toContainText('pull me');
  await finger.down(await centreOf(bubble(pageA, 'pull me')));
  const menu = pageA.getByRole('dialog', { name: 'Message from Ben' });
  await expect(menu).toBeVisible();
  await finger.up();
  await finger.tap(menu.getByRole('button', { name: 'Reply' }));
  await expect(menu).toBeHidden();
  await expect(pageA.getByRole('button', { name: 'Do not reply to this message' })).toBeVisible();
});

test('a deleted message is marked as deleted on both phones, and in the list', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'Delete');
  await sendMessage(pageA, 'too much said');
  await expect(bubble(pageB, 'too much said')).toBeVisible();
  await openMenu(pageB, 'too much said');
  await expect(pageB.getByRole('button', { name: 'Delete' }), 'only its author can delete it').toHaveCount(0);
  await pageB.keyboard.press('Escape');
  await openMenu(pageA, 'too much said');
  await pageA.getByRole('button', { name: 'Delete' }).click();
  await pageA.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  for (const page of [pageA, pageB]) await expect.poll(() => bubbles(page)).toEqual(['Message deleted']);
  await pageB.goto('/messages');
  await expect(pageB.getByRole('link', { name: /Message deleted/ })).toBeVisible();
  expect(await server.query("SELECT FROM messages WHERE content = 'too much said'")).toHaveLength(0);
});

test('an app that was closed shows the changes it missed once it is opened', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'Away');
  for (const text of ['one', 'two', 'three']) await sendMessage(pageA, text);
  await expect.poll(() => bubbles(pageB)).toEqual(['one', 'two', 'three']);
  await pageB.close();
  await openMenu(pageA, 'two');
  await pageA.getByRole('button', { name: 'React with ❤️' }).click();
  await openMenu(pageA, 'three');
  await pageA.getByRole('button', { name: 'Delete' }).click();
  await pageA.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(() =>
      server.query('SELECT FROM messages WHERE deleted_at IS NOT NULL AND rev = 2 AND content = $1', ['']),
    )
    .toHaveLength(1);
  const reopened = await phoneB.newPage();
  await reopened.goto('/messages');
  await expect(reopened.getByRole('link', { name: /Message deleted/ })).toBeVisible();
  await reopened.getByRole('link', { name: /Message deleted/ }).click();
  await expect.poll(() => bubbles(reopened)).toEqual(['one', 'two', 'Message deleted']);
  await expect(messageOf(reopened, 'two').getByRole('button', { name: /^❤️/ })).toBeVisible();
});

test('a long conversation keeps its scroll position, and a search result opens it at the message', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Place');
  const ben = await join(phoneB, server, 'Ben Place');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 300);
  await markAllRead(server, ann.id);
  const page = await openConversation(phoneA, ben);
  await expect(bubble(page, 'message 300')).toBeInViewport();
  await scrollUntil(thread(page), -600, () => isInView(bubble(page, 'message 230')));
  const before = await centreOf(bubble(page, 'message 230'));
  await page.getByRole('link', { name: 'Back to messages' }).click();
  await page.getByRole('link', { name: /message 300/ }).click();
  await expect(bubble(page, 'message 230')).toBeInViewport();
  const after = await centreOf(bubble(page, 'message 230'));
  expect(Math.abs(after.y - before.y), 'within two pixels').toBeLessThan(2);

  await page.getByRole('link', { name: 'Back to messages' }).click();
  await page.getByRole('searchbox').fill('message 17');
  await page
    .getByRole('list', { name: 'Messages' })
    .getByRole('link', { name: /message 17\b/ })
    .last()
    .click();
  await expect(bubble(page, 'message 17')).toBeInViewport();
});

test('conversations are pinned, muted and marked as read from the list', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { ann, pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'Pin');
  await pageA.getByRole('link', { name: 'Back to messages' }).click();
  await sendMessage(pageB, 'unread');
  const row = pageA.getByRole('listitem').filter({ hasText: 'Ben' });
  await expect(row.getByText('1 unread message')).toBeAttached();
  const choose = async (name: string) => {
    await row.getByRole('button', { name: /^Options for the conversation/ }).click();
    await pageA.getByRole('dialog').getByRole('button', { name }).click();
  };
  await choose('Mark as read');
  await expect(row.getByText('1 unread message')).toHaveCount(0);
  await choose('Pin to the top');
  await expect(row.getByText('Pinned')).toBeAttached();
  await choose('Mute for a day');
  await expect(row.getByText('Muted')).toBeAttached();
  const [stored] = await server.query<{ pins: number; mutes: number }>(
    `SELECT num_nonnulls(a_pinned_at, b_pinned_at) AS pins, num_nonnulls(a_muted_until, b_muted_until) AS mutes
     FROM conversations WHERE $1 IN (user_a, user_b)`,
    [ann.id],
  );
  expect(stored).toEqual({ pins: 1, mutes: 1 });
  await choose('Unmute');
  await expect(row.getByText('Muted')).toHaveCount(0);
});

test('a lively exchange of messages shows the spark to both members, once to one who returns later', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await keepCelebrationsOpen(phoneA, phoneB);
  const { pageA, pageB } = await openOnBothPhones(phoneA, phoneB, server, 'Spark');
  const absentPage = await phoneB.newPage();
  await pageB.close();
  for (let turn = 0; turn < 9; turn += 1) {
    const [phone, recipient] = turn % 2 ? [phoneA, 'Ben Spark'] : [phoneB, 'Ann Spark'];
    await sendAs(phone, server, recipient, `turn ${turn}`);
  }
  await expect(pageA.getByRole('dialog', { name: 'Message Spark!' })).toBeVisible();
  await expect(pageA.getByText('Your conversation is heating up')).toBeVisible();
  await absentPage.goto('/matches');
  await expect(
    absentPage.getByRole('dialog', { name: 'Message Spark!' }),
    'shown to the absent member on return',
  ).toBeVisible();
  await absentPage.keyboard.press('Escape');
  await expect(absentPage.getByRole('dialog', { name: 'Message Spark!' })).toBeHidden();
  await absentPage.reload();
  await expect(absentPage.getByRole('heading', { name: 'Your Matches' })).toBeVisible();
  await expect(absentPage.getByRole('dialog', { name: 'Message Spark!' })).toHaveCount(0);
});

test('members who are typing when the spark arrives lose no character and see it after they stop', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Typing');
  const ben = await join(phoneB, server, 'Ben Typing');
  await match(phoneA, ann, phoneB, ben);
  for (let turn = 0; turn < 8; turn += 1) {
    if (turn % 2) await sendAs(phoneA, server, 'Ben Typing', `turn ${turn}`);
    else await sendAs(phoneB, server, 'Ann Typing', `turn ${turn}`);
  }
  const typists = await Promise.all([openTyping(phoneA, ben), openTyping(phoneB, ann)]);
  await Promise.all([
    ...typists.map((typist) => typist.typeThroughSpark('turn 8')),
    sendAs(phoneB, server, 'Ann Typing', 'turn 8'),
  ]);
  for (const { page, typed } of typists) {
    await expect(composer(page)).toHaveValue(typed());
    await expect.poll(() => page.evaluate(() => window.celebrations), 'shown afterwards, once').toBe(1);
    await page.keyboard.press('Escape');
    await expect(composer(page), 'the text is still there').toHaveValue(typed());
  }
});

/** Opens a conversation in a page that counts the celebrations it shows, and focuses the composer. */
async function openTyping(phone: BrowserContext, other: Person) {
  const page = await phone.newPage();
  await page.addInitScript(countCelebrations);
  await page.goto(`/messages/${other.id}`);
  await expect(page.getByText('Connected')).toBeVisible();
  await composer(page).focus();
  let typed = '';
  const type = async () => {
    const key = String(typed.length % 10);
    await page.keyboard.type(key);
    typed += key;
  };
  return {
    page,
    typed: () => typed,
    /**
     * Types without a pause until the message that causes the spark is shown, and 60 keys more. Both come from a sync if
     * the socket was lost.
     */
    typeThroughSpark: async (message: string) => {
      let isShown = false;
      const shown = page
        .getByText(message, { exact: true })
        .waitFor()
        .then(() => {
          isShown = true;
        });
      while (!isShown) await type();
      await shown;
      for (let more = 0; more < 60; more += 1) await type();
    },
  };
}

async function sendAs(phone: BrowserContext, server: Server, to: string, content: string): Promise<void> {
  const [user] = await server.query<{ id: string }>('SELECT id FROM users WHERE full_name = $1', [to]);
  const response = await phone.request.post('/api/messages', {
    data: { recipientId: user?.id, content, messageType: 'text', clientId: crypto.randomUUID() },
  });
  expect(response.ok(), await response.text()).toBe(true);
}

test.describe('beside the list', () => {
  test('Enter sends, Shift+Enter starts a new line, and a draft shows in the list and survives leaving', async ({
    browser,
    server,
  }) => {
    const wide = { viewport: { width: 1024, height: 768 }, isMobile: false, hasTouch: false };
    const [a, b] = [await newPhone(browser, server.url, wide), await newPhone(browser, server.url)];
    const ann = await join(a, server, 'Ann Wide');
    const ben = await join(b, server, 'Ben Wide');
    await match(a, ann, b, ben);
    const page = await openConversation(a, ben);
    await composer(page).pressSequentially('two');
    await composer(page).press('Shift+Enter');
    await composer(page).pressSequentially('li');
    await expect(page.getByText('Draft: two')).toBeVisible();
    await page.getByRole('link', { name: 'Matches' }).first().click();
    await expect(page.getByRole('heading', { name: 'Your Matches' })).toBeVisible();
    await page.goto(`/messages/${ben.id}`);
    await expect(composer(page)).toHaveValue('two\nli');
    await composer(page).press('End');
    await composer(page).pressSequentially('nes');
    await composer(page).press('Enter');
    await expect.poll(() => bubbles(page)).toEqual(['two\nlines']);
    await expect(page.getByText(/^Draft: /)).toHaveCount(0);
    await page.reload();
    await expect(composer(page)).toBeEditable();
    await expect(composer(page)).toHaveValue('');
    await bubble(page, 'two\nlines').click({ button: 'right' });
    await expect(page.getByRole('dialog', { name: 'Your message' })).toBeVisible();
    await Promise.all([a.close(), b.close()]);
  });
});
