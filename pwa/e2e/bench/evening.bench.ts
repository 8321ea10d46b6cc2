import { writeFileSync } from 'node:fs';
import type { Page, Request } from '@playwright/test';
import { focusDeck, topCardName, waitForCandidates, waitForNextCard } from '../support/deck.ts';
import { addPeople, hideAllMembers } from '../support/people.ts';
import { composer, join, match, type Person, sendMessage } from '../support/phones.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/**
 * Records the requests of an evening of two hours, which TestEvening_MeetsNoLimit replays:
 *   EVENING=../api/testdata/evening.tsv npm run bench -- evening
 * The script says how long a person takes for each action, and waits for none of it.
 */
const file = process.env.EVENING;

const MINUTE = 60;
const PHOTOS = 4;
const DECISIONS = 110;
const PAGES_OF_GRID = 4;
const PROFILES = 40;
const MESSAGES = 60;

/** Gives people photos whose files are only rows; the test answers the requests for the pictures. */
async function addPhotos(server: Server, people: Person[]): Promise<void> {
  await server.query(
    `WITH photos AS (
       SELECT gen_random_uuid() AS id, person, n
       FROM unnest($1::uuid[]) AS person, generate_series(1, $2) n
     ), stored AS (
       INSERT INTO files (id, owner_id, content_type, bytes, width, height)
       SELECT id, person, 'image/webp', 1, 480, 640 FROM photos
     )
     INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, person, 'photo', n FROM photos`,
    [people.map(({ id }) => id), PHOTOS],
  );
}

/** The requests with the second at which each was made, and ids as numbers in the order of their first request. */
class Recorder {
  private second = 0;
  private readonly lines: string[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(page: Page) {
    page.on('request', (request) => this.add(request));
  }

  /** Lets a person's time pass before the next action. */
  wait(seconds: number): void {
    this.second += seconds;
  }

  line(method: string, address: string, body: string): void {
    const number = (id: string) => {
      if (!this.numbers.has(id)) this.numbers.set(id, this.numbers.size + 1);
      return `{${this.numbers.get(id)}}`;
    };
    const numbered = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, number);
    const path = numbered(address).replace(/cursor=[^&]*/, 'cursor={next}');
    this.lines.push(`${this.second}\t${method}\t${path}\t${numbered(body)}`);
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  get minutes(): number {
    return this.second / MINUTE;
  }

  private add(request: Request): void {
    const { pathname, search } = new URL(request.url());
    if (!/^\/(api|files)\//.test(pathname) || pathname === '/api/live') return;
    this.line(request.method(), pathname + search, request.postData() ?? '');
  }
}

const settle = (page: Page) => page.waitForLoadState('networkidle');

async function decide(page: Page, server: Server, recorder: Recorder): Promise<void> {
  await page.goto('/');
  await focusDeck(page);
  for (let n = 0; n < DECISIONS; n++) {
    const name = await topCardName(page);
    recorder.wait(25);
    await page.keyboard.press(n % 5 === 0 ? 'ArrowRight' : 'ArrowLeft');
    await waitForNextCard(page, name);
    // For the limit of likes in a minute the time of a person has passed too.
    await server.query("UPDATE user_likes SET created_at = created_at - interval '25 seconds'");
  }
  await settle(page);
}

async function browse(page: Page, people: Person[], recorder: Recorder): Promise<void> {
  await page.goto('/discover');
  await expect(page.getByRole('article').first()).toBeVisible();
  for (let n = 0; n < PAGES_OF_GRID; n++) {
    recorder.wait(60);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await settle(page);
  }
  for (const { id } of people.slice(0, PROFILES)) {
    recorder.wait(45);
    await page.goto(`/profile/${id}`);
    await settle(page);
  }
}

test('an evening of two hours is recorded', async ({ phoneA, phoneB, server }) => {
  test.skip(!file, 'EVENING names no file');
  test.setTimeout(600_000);
  await hideAllMembers(server);
  const me = await join(phoneA, server, 'Dora Deck');
  const ben = await join(phoneB, server, 'Ben Lowe');
  await match(phoneA, me, phoneB, ben);
  const people = await addPeople(server, ...Array.from({ length: 400 }, (_, n) => `Person${n} Lane`));
  await addPhotos(server, [ben, ...people]);
  await waitForCandidates(phoneA, 50);
  await server.query('DELETE FROM daily_items');

  const page = await phoneA.newPage();
  const headers = { 'Cache-Control': 'private, no-cache', ETag: '"1"' };
  await page.route('/files/**', (route) => route.fulfill({ path: 'e2e/support/portrait.jpg', headers }));
  const recorder = new Recorder(page);
  await decide(page, server, recorder);
  recorder.wait(MINUTE);
  await browse(page, people, recorder);
  for (const path of [
    '/matches',
    '/matches/likes',
    '/notifications',
    '/community',
    '/profile',
    '/messages',
  ]) {
    recorder.wait(MINUTE);
    await page.goto(path);
    await settle(page);
  }
  await page.goto(`/messages/${ben.id}`);
  await expect(composer(page)).toBeEditable();
  for (let n = 0; n < MESSAGES; n++) {
    recorder.wait(n % 6 === 0 ? 90 : 15);
    await sendMessage(page, `Message ${n} of the evening`);
  }
  await settle(page);
  expect(recorder.minutes).toBeGreaterThan(100);
  expect(recorder.minutes).toBeLessThan(130);
  writeFileSync(file ?? '', recorder.text);
});
