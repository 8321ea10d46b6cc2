/** Field cases (docs/field-cases.md) of what happens outside of the page: a hidden tab, and the clock. */
import { expect } from '@playwright/test';
import { fill, setClock, showPage, signInAsDemo } from './field-page.ts';
import { Partner } from './partner.ts';
import { ENTER, field, heading, link, Tab } from './tab.ts';
import { test } from './test.ts';

const { step } = test;

/** In the page: the texts of all bubbles. `Tab.texts` would scroll the first into view. */
const readBubbles = () =>
  [...document.querySelectorAll('[data-testid=bubble-text]')].map(({ textContent }) => textContent);

test('a hidden page and a wrong clock are right in this engine', async ({ engine, server, request }) => {
  test.setTimeout(360_000);
  const tab = new Tab(engine, server.url);
  await tab.open('/');
  const [peer] = await engine.call(signInAsDemo);
  if (!peer) throw new Error('the demo member has no conversation');
  const [[me], [other]] = await Promise.all([
    server.query<{ id: string }>("SELECT id FROM users WHERE email = 'demo@heartward.test'"),
    server.query<{ id: string; email: string }>('SELECT id, email FROM users WHERE id = $1', [peer.id]),
  ]);
  if (!me || !other) throw new Error('they have no accounts');
  const partner = await Partner.signedIn(other, server, request);
  /** The seqs up to which the demo member has received and read the conversation, and the newest one. */
  const receipts = async () => {
    const [row] = await server.query<{ delivered: string; read: string; last: string }>(
      `SELECT CASE user_a WHEN $1 THEN a_delivered_seq ELSE b_delivered_seq END AS delivered,
         CASE user_a WHEN $1 THEN a_read_seq ELSE b_read_seq END AS read, last_seq AS last
       FROM conversations WHERE $1 IN (user_a, user_b) AND $2 IN (user_a, user_b)`,
      [me.id, peer.id],
    );
    if (!row) throw new Error('they have no conversation');
    return row;
  };
  const arrives = async (text: string) => {
    await partner.write(me.id, text);
    await tab.until(`"${text}" is the last bubble`, async () => {
      return (await engine.call(readBubbles)).at(-1) === text;
    });
  };
  const readAll = () =>
    tab.until('all is read', async () => {
      const { read, last } = await receipts();
      return read === last;
    });
  const openThread = async () => {
    await tab.open(`/messages/${peer.id}`);
    await tab.waitFor(field(`Message to ${peer.firstName}`));
  };

  await step('a hidden page receives, but reads nothing; once visible it does', async () => {
    await openThread();
    await readAll();
    const before = await receipts();
    await tab.type(field(`Message to ${peer.firstName}`), 'half a thought');
    await engine.call(showPage, 'hidden');
    await arrives('are you there?');
    // Anything that would be marked as read is marked before the answer to a later message arrives.
    await arrives('hello?');
    await tab.until('both are delivered', async () => {
      const { delivered, last } = await receipts();
      return delivered === last;
    });
    expect((await receipts()).read).toBe(before.read);
    expect(await engine.call(() => document.title)).toBe(`${peer.firstName} · Heartward`);
    await engine.call(showPage, 'visible');
    await readAll();
    const written = () => engine.call(() => document.querySelector('textarea')?.value);
    expect(await written(), 'what was being written').toBe('half a thought');
    await engine.call(fill, 'form textarea', '');
  });

  await step('a hidden page counts what arrives', async () => {
    await tab.open('/settings');
    await tab.waitFor(heading('Settings'));
    const unread = async () => Number(/\d+/.exec((await tab.texts(link(/Messages/))).join(' '))?.[0] ?? 0);
    // Those of the demo; it is 0 until the device's data are read.
    const before = await tab.until('some are unread', async () => (await unread()) || null);
    await engine.call(showPage, 'hidden');
    await partner.write(me.id, 'and now?');
    await tab.until('one more', async () => (await unread()) === before + 1);
    const { read, last } = await receipts();
    expect(read).not.toBe(last);
    await engine.call(showPage, 'visible');
  });

  await step(
    'midnight changes the days that are shown, and a clock that is ahead loses nothing',
    async () => {
      await openThread();
      await tab.waitForText('Today');
      await engine.call(setClock, 24);
      await tab.until('today is yesterday', async () => {
        const text = await tab.text();
        return text.includes('Yesterday') && !text.includes('Today');
      });
      await tab.type(field(`Message to ${peer.firstName}`), 'written tomorrow');
      await tab.press(ENTER);
      await tab.until('it is sent', async () => {
        const [row] = await server.query("SELECT 1 FROM messages WHERE content = 'written tomorrow'");
        return row;
      });
      await arrives('read today');
      expect((await engine.call(readBubbles)).slice(-2)).toEqual(['written tomorrow', 'read today']);
      await readAll();
    },
  );

  await step('a clock that is behind names no time to come', async () => {
    await engine.call(setClock, -2);
    await arrives('from the future');
    await tab.open('/messages');
    await tab.waitForText('from the future');
    await engine.call(setClock, -2);
    await tab.until('it is new', async () => /\bnow\s+from the future/.test(await tab.text()));
    await engine.call(setClock, 0);
  });
});
