import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { Result } from 'axe-core';
import { finishAnimations } from './animations.ts';

/** The minified build, less than half the size of `axe.source`. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns axe's violations in the page, by all rules unless some are named, after the end of its animations: a dialog
 * that fades in has too little contrast for a moment. The script is loaded into a page once: parsing it takes longer than
 * a check.
 */
async function runAxe(page: Page, rules?: string[]): Promise<Result[]> {
  await finishAnimations(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule', values } }),
    });
    return violations;
  }, rules);
}

/** Returns the violations with serious or critical impact. */
export async function findSeriousViolations(page: Page, rules?: string[]): Promise<string[]> {
  return (await runAxe(page, rules))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

/** Returns the violations of every impact. */
export async function findViolations(page: Page): Promise<string[]> {
  return (await runAxe(page)).map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target)}`);
}

/** The rules about colours, the only ones that depend on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Asserts that the page in its current state has no serious violation in any theme. */
export async function expectAccessibleInEveryTheme(page: Page, state = ''): Promise<void> {
  for (const [theme, rules] of [['light'], ['dark', colourRules], ['taco', colourRules]] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    expect.soft(await findSeriousViolations(page, rules && [...rules]), `${state} ${theme}`).toEqual([]);
  }
}
