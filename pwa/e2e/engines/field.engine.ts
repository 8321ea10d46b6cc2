/** Field cases (docs/field-cases.md) whose result depends on the browser's engine. */
import { expect } from '@playwright/test';
import { button, ENTER, field, Tab } from './tab.ts';
import { test } from './test.ts';

const { step } = test;

type Peer = { id: string; firstName: string };

test('links, drafts, the search and pictures are right in this engine', async ({ engine, server }) => {
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

  await step('a transparent picture becomes white, and no other colour changes', async () => {
    await tab.open(`/messages/${one.id}`);
    await tab.waitFor(fieldFor(one));
    // The picker of the system cannot be used here.
    await engine.call(() => {
      HTMLInputElement.prototype.click = () => undefined;
    });
    await tab.click(button('Add a picture, a video or more'));
    await tab.click(button('Pictures'));
    await engine.call(choosePicture);
    await tab.click(button('Send'));
    const pixels = await tab.until('the picture is stored', () => engine.call(readStoredPixels, one.id));
    const [clear, red] = pixels;
    expect(Math.min(...(clear ?? []))).toBeGreaterThan(245);
    expect(red?.[0]).toBeGreaterThan(230);
    expect(Math.max(...(red ?? []).slice(1, 3))).toBeLessThan(25);
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

/** In the page: chooses a picture whose left half is transparent and whose right half is red. */
async function choosePicture(): Promise<void> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [200, 100];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#ff0000';
  context.fillRect(100, 0, 100, 100);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  const input = document.querySelector<HTMLInputElement>('input[aria-label="Choose pictures"]');
  if (!blob || !input) throw new Error('nothing to choose, or nowhere');
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob], 'clear.png', { type: 'image/png' }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** In the page: the colours in the middles of the halves of the newest picture as the server has it; null without one. */
async function readStoredPixels(peerId: string): Promise<number[][] | null> {
  const messages: { seq: number; attachments: { url: string }[] }[] = await (
    await fetch(`/api/messages/${peerId}`)
  ).json();
  const url = messages.sort((a, b) => b.seq - a.seq)[0]?.attachments[0]?.url;
  if (!url) return null;
  const picture = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const context = canvas.getContext('2d');
  context?.drawImage(picture, 0, 0);
  return [0.25, 0.75].map((x) => [
    ...(context?.getImageData(picture.width * x, picture.height / 2, 1, 1).data ?? []),
  ]);
}
