/** Caches with the member's files start with this; the precached shell does not. */
export const FILE_CACHE_PREFIX = 'hw-files-';

/** The tag of the worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';

/** In meta: the count at the app's icon that came with the last push. */
export const BADGE_KEY = 'push:badge';

/** In meta: where a tapped notification leads, for an app that is not there yet to be told. */
export const NAVIGATE_KEY = 'push:navigate';

/** What another app shared waits here, in a database of its own: whoever shared it may have to sign in first. */
export const SHARED_DB = 'hw-shared';

/** Where the browser posts what is shared (manifest.config.ts), and where the member says for whom it is. */
export const SHARE_PATH = '/share';
