/** Caches with the member's files start with this; the precached shell does not. */
export const FILE_CACHE_PREFIX = 'hw-files-';

/** The tag of the worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';

/** In meta: the count at the app's icon that came with the last push. */
export const BADGE_KEY = 'push:badge';

/** In meta: where a tapped notification leads, for an app that is not there yet to be told. */
export const NAVIGATE_KEY = 'push:navigate';
