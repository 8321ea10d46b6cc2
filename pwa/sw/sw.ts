/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { SYNC_TAG } from '../src/offline/outbox/lock.ts';
import { act } from './actions.ts';
import { NAVIGATION_DENYLIST } from './denylist.ts';
import { isPhoto, photo } from './files.ts';
import { drainInWorker } from './outbox.ts';
import { showPush } from './push.ts';
import { renewSubscription, type SubscriptionChange } from './renew.ts';
import { isShare, takeShared } from './share.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };
type SyncEvent = ExtendableEvent & { tag: string };

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NAVIGATION_DENYLIST }));
// Nothing below /api is cached here: the database is the only cache of JSON.
registerRoute(isPhoto, ({ event }) => photo(event as FetchEvent));
registerRoute(isShare, ({ request }) => takeShared(request), 'POST');

// A cache that cannot be read, which Firefox has now and then, must not fail what the network has.
setCatchHandler(({ request }) => fetch(request));

let first = false;
self.addEventListener('install', () => {
  first = !self.registration.active;
});
// Only the very first worker takes over open pages; an update waits until the page asks.
self.addEventListener('activate', (event) => {
  if (first) event.waitUntil(self.clients.claim());
});
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
});

self.addEventListener('sync', (event) => {
  const { tag } = event as unknown as SyncEvent;
  if (tag === SYNC_TAG) (event as unknown as SyncEvent).waitUntil(drainInWorker());
});

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(event.data?.text()));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { action, reply } = event as NotificationEvent & { reply?: string | null };
  event.waitUntil(act(action, reply ?? '', event.notification));
});
// Not in every browser; the app looks after its subscription at each start as well.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event as unknown as SubscriptionChange));
});
