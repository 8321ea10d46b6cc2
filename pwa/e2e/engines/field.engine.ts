/** Field cases (docs/field-cases.md) whose result depends on the browser's engine. */
import { expect } from '@playwright/test';
import { button, ENTER, field, Tab } from './tab.ts';
import { test } from './test.ts';

const { step } = test;

type Peer = { id: string; firstName: string };

test('links, drafts and the search are right in this engine', async ({ engine, server }) => {
  test.setTimeout(360_000);
  const tab = new Tab(engine, server.url);
  await tab.open('/');
  const [one, other] = await engine.call(signInAsDemo);
  if (!one || !other) throw new Error('the demo member has no two conversations');
  const fieldFor = ({ firstName }: Peer) => field(`Message to ${firstName}`);
  const written = () =>
    engine.call(() => document.querySelector<HTMLTextAreaElement>('form textarea')?.value);

  await step('links end where their addresses end', async () => {
    await tab.open(`/messages/${one.id}`);
    await tab.type(fieldFor(one), 'café https://example.test/a_ https://example.test/b，好');
    await tab.press(ENTER);
    await tab.click(button('Send anyway')); // it looks like advertising
    await tab.until('the links', async () => {
      const links = await engine.call(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('[data-testid=bubble-text] a')]
          .map(({ href }) => href)
          .slice(-2),
      );
      return JSON.stringify(links) === JSON.stringify(['https://example.test/a_', 'https://example.test/b']);
    });
  });

  await step('a text for one person does not stand in the field of the next', async () => {
    await tab.type(fieldFor(one), 'only for the first');
    await tab.open(`/messages/${other.id}`);
    await tab.waitFor(fieldFor(other));
    expect(await written()).toBe('');
    await tab.open(`/messages/${one.id}`);
    await tab.until('the text is kept', async () => (await written()) === 'only for the first');
  });

  await step('the search ignores accents', async () => {
    await tab.open('/messages');
    await tab.type({ css: 'input[type=search]' }, 'CAFE https');
    await tab.until('the found text is marked', async () => {
      return (await tab.texts({ css: 'mark' })).includes('café https');
    });
  });
});

/** In the page: signs in, and returns those with whom the demo member has conversations. */
async function signInAsDemo(): Promise<Peer[]> {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'demo@heartward.test', password: 'heartward-demo' }),
  });
  if (!response.ok) throw new Error(await response.text());
  const conversations: { user: Peer; request: string }[] = await (await fetch('/api/conversations')).json();
  return conversations
    .filter(({ request }) => request === 'none')
    .map(({ user: { id, firstName } }) => ({ id, firstName }));
}
