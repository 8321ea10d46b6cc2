import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './demo.ts';

/**
 * What keeps somebody from using the page, each with where and why; by all rules unless some are named. There are no
 * frames here to gather from, for which a second page would be opened each time, and what is well need not be told:
 * both cost more than the looking itself.
 */
async function troubles(page: Page, rules?: string[]) {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  return (await (rules ? axe.withRules(rules) : axe).analyze()).violations;
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
