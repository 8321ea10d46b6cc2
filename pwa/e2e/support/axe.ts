import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './demo.ts';

/** What keeps somebody from using the page, each with where and why; by all rules unless some are named. */
export async function seriousTroubles(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
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
