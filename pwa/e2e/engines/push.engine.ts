/** Field cases (docs/field-cases.md) of pushes in Firefox, with a push service on the loopback address. */
import { expect } from '@playwright/test';
import { signInAsDemo } from './field-page.ts';
import { startFirefox } from './firefox.ts';
import { DELIVERED, PushService } from './push-service.ts';
import { button, Tab } from './tab.ts';
import { test } from './test.ts';
import { until } from './wait.ts';

const { step } = test;

test.use({ serverEnv: { PUSH_HOSTS: 'push.test' } });

/** In the page: the browser loses the subscription, and the server does not learn it. */
async function loseSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

test('a member who turned on pushes gets them until they are turned off, whatever the push service forgets', async ({
  server,
}, { project }) => {
  test.skip(project.name !== 'firefox', 'WebKitGTK has no pushes, and Chromium is in push.spec.ts');
  test.setTimeout(240_000);
  const service = await PushService.start();
  const engine = await startFirefox('America/New_York', service.preferences);
  const subscribed = async (): Promise<string[]> =>
    (await server.query<{ endpoint: string }>('SELECT endpoint FROM push_subscriptions')).map(
      ({ endpoint }) => endpoint,
    );
  /** Waits until the server has the subscription that the push service made last, and not `before`. */
  const renewed = (before: string) =>
    until('the server has the new subscription', async () => {
      const newest = service.newestEndpoint;
      return newest !== before && (await subscribed()).includes(newest) && newest;
    });
  try {
    const tab = new Tab(engine, server.url);
    await tab.open('/');
    await engine.call(signInAsDemo);
    await tab.open('/settings');
    await engine.call(async () => void (await navigator.serviceWorker.ready));

    let endpoint = await step('turned on, a push reaches the worker', async () => {
      await tab.click(button('Turn on'));
      await tab.click(button('Continue'));
      await tab.waitFor(button('Turn off'));
      service.push();
      // Without a desktop the notification is gone at once, so that it cannot be listed.
      await until('the push is with the worker', async () => service.answers.length > 0);
      expect(service.answers).toEqual([DELIVERED]);
      return renewed('');
    });

    await step('names and texts that are hidden stay hidden when the subscription is renewed', async () => {
      await tab.click({ css: '[role=switch]', name: /^Show what it says/ });
      const hides = () => server.query('SELECT 1 FROM push_subscriptions WHERE NOT shows_content');
      await until('they are hidden', async () => (await hides()).length === 1);
      // As after a push that the push service refused because it has forgotten the device.
      await server.query('DELETE FROM push_subscriptions');
      service.forgetDevice();
      endpoint = await renewed(endpoint);
      expect(await hides()).toHaveLength(1);
    });

    await step('the push service forgets the device while the app is closed: the worker renews', async () => {
      await engine.open('about:blank');
      service.forgetDevice();
      endpoint = await renewed(endpoint);
    });

    await step('the browser loses the subscription: the next start renews it', async () => {
      await tab.open('/settings');
      await tab.waitFor(button('Turn off'));
      await engine.call(loseSubscription);
      await tab.open('/settings');
      endpoint = await renewed(endpoint);
      await tab.open('/settings');
      await tab.waitFor(button('Turn off'));
    });

    await step('turned off, they stay off', async () => {
      await tab.click(button('Turn off'));
      await tab.waitFor(button('Turn on'));
      await tab.open('/settings');
      await tab.waitFor(button('Turn on'));
      expect(await subscribed()).not.toContain(endpoint);
    });
  } finally {
    await engine.close();
    service.close();
  }
});
