/** Field cases (docs/field-cases.md) whose result depends on the browser's engine. */
import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { startFirefox } from './firefox.ts';
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
    await sendPicture(tab, await engine.call(drawHalfTransparent));
    const stored = await tab.until('the picture is stored', () => engine.call(readStoredFile, one.id));
    // The middles of its halves.
    const pixelAt = (x: number) => rgb(stored, '-vf', `format=rgb24,crop=1:1:iw*${x}:ih/2`);
    const red = pixelAt(0.75);
    expect(Math.min(...pixelAt(0.25))).toBeGreaterThan(245);
    expect(red[0]).toBeGreaterThan(230);
    expect(Math.max(...red.subarray(1))).toBeLessThan(25);
  });
});

test('a browser that resists fingerprinting sends a large photo as it is', async ({ server }, {
  project,
}) => {
  test.skip(project.name !== 'firefox', 'only Firefox has the setting');
  test.setTimeout(180_000);
  const engine = await startFirefox({ 'privacy.resistFingerprinting': true });
  const tab = new Tab(engine, server.url);
  try {
    await tab.open('/');
    expect(await engine.call(doesCanvasFalsify)).toBe(true);
    const [peer] = await engine.call(signInAsDemo);
    if (!peer) throw new Error('the demo member has no conversation');
    await tab.open(`/messages/${peer.id}`);
    await tab.waitFor(field(`Message to ${peer.firstName}`));
    // Larger than stored pictures are, so that other browsers draw it smaller on a canvas.
    const red = 'color=red:size=2400x1200';
    const photo = ffmpeg(['-f', 'lavfi', '-i', red, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe']);
    await sendPicture(tab, photo.toString('base64'));
    const stored = await tab.until('the picture is stored', () => engine.call(readStoredFile, peer.id));
    const pixels = rgb(stored);
    const isRed = (at: number) =>
      (pixels[at] ?? 0) > 230 && Math.max(...pixels.subarray(at + 1, at + 3)) < 25;
    const others = Array.from({ length: pixels.length / 3 }, (_, index) => 3 * index).filter(
      (at) => !isRed(at),
    );
    expect(pixels.length).toBe(3 * 1600 * 800);
    expect(others).toEqual([]);
  } finally {
    await engine.close();
  }
});

/** Runs ffmpeg with `input` on its standard input, and returns what it writes to its standard output. */
function ffmpeg(args: string[], input?: Buffer): Buffer {
  const options = { input, maxBuffer: 64 * 1024 * 1024 };
  return execFileSync(process.env.FFMPEG ?? 'ffmpeg', ['-v', 'error', ...args, '-'], options);
}

/** Returns the pixels of a file in base64, three bytes each. */
const rgb = (file: string, ...filter: string[]) =>
  ffmpeg(['-i', '-', ...filter, '-pix_fmt', 'rgb24', '-f', 'rawvideo'], Buffer.from(file, 'base64'));

/** Sends a PNG picture, in base64, in the conversation that is open. */
async function sendPicture(tab: Tab, png: string): Promise<void> {
  // The picker of the system cannot be used here.
  await tab.engine.call(() => {
    HTMLInputElement.prototype.click = () => undefined;
  });
  await tab.click(button('Add a picture, a video or more'));
  await tab.click(button('Pictures'));
  await tab.engine.call(choosePicture, png);
  await tab.click(button('Send'));
}

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

/** In the page: returns a PNG picture in base64 whose left half is transparent and whose right half is red. */
function drawHalfTransparent(): string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [200, 100];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#ff0000';
  context.fillRect(100, 0, 100, 100);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

/** In the page: whether a canvas returns something else than was drawn on it. */
function doesCanvasFalsify(): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, 100, 100);
  const { data } = context.getImageData(0, 0, 100, 100);
  return data.some((value, index) => value !== [255, 0, 0, 255][index % 4]);
}

/** In the page: chooses a PNG picture, in base64. */
function choosePicture(png: string): void {
  const input = document.querySelector<HTMLInputElement>('input[aria-label="Choose pictures"]');
  if (!input) throw new Error('nowhere to choose');
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const chosen = new DataTransfer();
  chosen.items.add(new File([bytes], 'chosen.png', { type: 'image/png' }));
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** In the page: the newest picture as the server has it, in base64; null without one. */
async function readStoredFile(peerId: string): Promise<string | null> {
  const messages: { seq: number; attachments: { url: string }[] }[] = await (
    await fetch(`/api/messages/${peerId}`)
  ).json();
  const url = messages.sort((a, b) => b.seq - a.seq)[0]?.attachments[0]?.url;
  if (!url) return null;
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
