import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { Result } from 'axe-core';
import { settled } from './demo.ts';

/** The minified build: less than half of what `axe.source` makes a page parse. */
const checker = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What keeps a member from using the page, each with where and why; by all rules unless some are named. A page takes
 * in the checker once: parsing it costs more than a check.
 */
async function troubles(page: Page, rules?: string[]): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(checker);
  return page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule', values } }),
    });
    return violations;
  }, rules);
}

/** Those troubles that are serious or worse. */
export async function seriousTroubles(page: Page, rules?: string[]): Promise<string[]> {
  return (await troubles(page, rules))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

/** All of them, however slight. */
export async function anyTroubles(page: Page): Promise<string[]> {
  return (await troubles(page)).map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target)}`);
}

/** The rules that look at colours: all that another theme can break. */
const colours = ['color-contrast', 'link-in-text-block'];

/** Nothing keeps anybody from using the page as it stands, whatever the theme. */
export async function expectReadableInEveryTheme(page: Page, state = ''): Promise<void> {
  for (const [theme, rules] of [['light'], ['dark', colours], ['taco', colours]] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await settled(page);
    expect.soft(await seriousTroubles(page, rules && [...rules]), `${state} ${theme}`).toEqual([]);
  }
}
