import type { Page } from '@playwright/test';
import { addPeople } from '../support/people.ts';
import { codeFor, newEmail } from '../support/phones.ts';
import { expect, test } from '../support/test.ts';
import { print } from './measure.ts';

/** The taps and typed characters of one screen, and the time at which it was left, in ms since the landing. */
type ScreenCount = { path: string; taps: number; keys: number; leftAt: number };

/** Counts what a person does on each screen, from the landing on. */
class Counter {
  readonly screens: ScreenCount[] = [];
  private readonly startedAt = Date.now();

  constructor(private readonly page: Page) {}

  async tap(role: 'button' | 'link' | 'checkbox', name: string | RegExp): Promise<void> {
    const target = this.page.getByRole(role, { name }).first();
    await expect(target).toBeVisible();
    await this.count({ taps: 1 }, () => (role === 'checkbox' ? target.check() : target.click()));
  }

  /** A field is tapped, then typed into. */
  async type(label: string, text: string): Promise<void> {
    await this.count({ taps: 1, keys: text.length }, () => this.page.getByLabel(label).fill(text));
  }

  private async count({ taps, keys = 0 }: { taps: number; keys?: number }, act: () => Promise<unknown>) {
    const path = new URL(this.page.url()).pathname;
    await act();
    const last = this.screens.at(-1);
    const screen = last?.path === path ? last : { path, taps: 0, keys: 0, leftAt: 0 };
    if (screen !== last) this.screens.push(screen);
    screen.taps += taps;
    screen.keys += keys;
    screen.leftAt = Date.now() - this.startedAt;
  }

  print(title: string): void {
    const sum = (of: 'taps' | 'keys') => this.screens.reduce((total, screen) => total + screen[of], 0);
    print(`\n${title}`);
    for (const { path, taps, keys, leftAt } of this.screens)
      print(
        `  ${path.padEnd(16)} ${String(taps).padStart(3)} taps ${String(keys).padStart(4)} keys, left at ${(leftAt / 1000).toFixed(1).padStart(5)} s`,
      );
    const seconds = (this.screens.at(-1)?.leftAt ?? 0) / 1000;
    print(
      `  ${'in all'.padEnd(16)} ${String(sum('taps')).padStart(3)} taps ${String(sum('keys')).padStart(4)} keys, ${seconds.toFixed(1)} s of the script`,
    );
  }
}

/** Signs up from the landing with the fields that the form requires. */
async function signUp(
  counter: Counter,
  page: Page,
  name: string,
  codeOf: (email: string) => Promise<string>,
) {
  const email = newEmail(name);
  await page.goto('/');
  await counter.tap('link', /^Join|^Create Your Profile|^Sign up/i);
  await counter.type('Full Name', name);
  await counter.type('Email', email);
  await counter.type('Age', '33');
  await counter.type('City', 'Portland');
  await counter.type('State', 'OR');
  await counter.type('Bio/Reflection', 'Long walks.');
  await counter.tap('checkbox', /Honor Code/);
  await counter.tap('button', 'Create My Profile');
  await counter.type('Your code', await codeOf(email));
}

for (const isGuided of [false, true]) {
  test(`from the landing to the first like, ${isGuided ? 'with' : 'without'} the first run`, async ({
    phoneA,
    server,
  }) => {
    await addPeople(server, 'Bea Lane', 'Cleo Hart');
    await server.query(`UPDATE users SET gender = 'woman' WHERE full_name IN ('Bea Lane', 'Cleo Hart')`);
    const page = await phoneA.newPage();
    // Without it a sign-up leads to people at once, as it did before the first run.
    if (!isGuided)
      await page.route('**/api/users', (route) =>
        route.continue({ postData: { ...(route.request().postDataJSON() as object), guided: false } }),
      );
    const counter = new Counter(page);
    await signUp(counter, page, isGuided ? 'Gus Guided' : 'Una Unguided', (email) => codeFor(server, email));
    if (isGuided) {
      await counter.tap('button', /^Man$/);
      await counter.tap('button', /^Women$/);
      await counter.tap('button', 'Continue');
      await counter.tap('link', 'Finish later');
    }
    await counter.tap('button', /^Like /);
    await expect(page.getByRole('button', { name: /^Liked / }).first()).toBeVisible();
    counter.print(isGuided ? 'With the first run (photo and answer later)' : 'Without it');
  });
}
