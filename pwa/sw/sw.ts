/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { SYNC_TAG } from '../src/offline/outbox/lock.ts';
import { handleAction } from './actions.ts';
import { NAVIGATION_DENYLIST } from './denylist.ts';
import { isPhoto, serveFile } from './files.ts';
import { HOME, serveHome } from './home.ts';
import { drainInWorker } from './outbox.ts';
import { showPush } from './push.ts';
import { renewSubscription, type SubscriptionChange } from './renew.ts';
import { isShare, receiveShared } from './share.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };
type SyncEvent = ExtendableEvent & { tag: string };

// Without a directory index: / is not always the app.
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
cleanupOutdatedCaches();
const shell = createHandlerBoundToURL('/index.html');
registerRoute(new NavigationRoute((options) => serveHome(options, shell), { allowlist: [HOME] }));
registerRoute(new NavigationRoute(shell, { denylist: NAVIGATION_DENYLIST }));
// Nothing below /api is cached here: the page's database is the only persistent cache of JSON.
registerRoute(isPhoto, ({ event }) => serveFile(event as FetchEvent));
registerRoute(isShare, ({ request }) => receiveShared(request), 'POST');

// A cache error, which Firefox has at times, must not fail a request that the network can serve.
setCatchHandler(({ request }) => fetch(request));

let isFirst = false;
self.addEventListener('install', () => {
  isFirst = !self.registration.active;
});
// Only the first worker claims open pages; an update waits for SKIP_WAITING.
self.addEventListener('activate', (event) => {
  if (isFirst) event.waitUntil(self.clients.claim());
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
  event.waitUntil(handleAction(action, reply ?? '', event.notification));
});
// Not supported in every browser; the app also renews its subscription at each start.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event as unknown as SubscriptionChange));
});
