import type { Page } from '@playwright/test';

/** Ends running transitions and animations, except endless ones, for checks of final colours and places. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const ending = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    for (const one of ending) one.finish();
    await Promise.allSettled(ending.map((one) => one.finished));
  });
}
