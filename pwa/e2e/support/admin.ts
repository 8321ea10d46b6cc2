import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './axe.ts';
import { join, newPhone, type Person } from './phones.ts';
import type { Server } from './server.ts';

/** Signs up a member on a computer and makes them an admin. */
export async function joinAsAdmin(
  browser: Browser,
  server: Server,
  fullName: string,
): Promise<{ computer: BrowserContext; admin: Person }> {
  const computer = await newPhone(browser, server.url, {
    viewport: { width: 1440, height: 900 },
    hasTouch: false,
    isMobile: false,
  });
  const admin = await join(computer, server, fullName);
  await server.query('UPDATE users SET is_admin = true WHERE id = $1', [admin.id]);
  return { computer, admin };
}

/** Asserts that the screen has no serious violation in any theme, and fits the widths of computers and tablets. */
export async function expectUsable(page: Page, state: string): Promise<void> {
  await expectAccessibleInEveryTheme(page, state);
  for (const width of [768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${state} at ${width}`).toBeLessThanOrEqual(0);
    if (process.env.SHOTS) await shoot(page, `${state}-${width}`);
  }
}

/** Stores pictures of the screen in the folder SHOTS. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark', 'taco']) {
    await page.evaluate((value) => {
      document.documentElement.dataset.theme = value;
    }, theme);
    await page.screenshot({
      animations: 'disabled',
      path: `${process.env.SHOTS}/${name}-${theme}.png`.replaceAll(' ', '-'),
    });
  }
}
