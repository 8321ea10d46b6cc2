import type { Page } from '@playwright/test';

/**
 * Removes the responses from the documents of a page, as in the document that the service worker has stored: the page
 * then requests them.
 */
export async function stripResponses(page: Page): Promise<void> {
  await page.route(
    () => true,
    async (route) => {
      if (!route.request().isNavigationRequest()) return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace(/<script type="application\/json".*?<\/script>/, '');
      await route.fulfill({ response, body });
    },
  );
}
