/** Caches with the member's files start with this; the precached shell does not. */
export const FILE_CACHE_PREFIX = 'hw-files-';

/** The tag of the worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';
