/** The names of what is shared from other apps (sharedFiles.ts), for modules that read nothing of it. */

export const SHARED_DB = 'hw-shared';

/** The path to which the browser posts a share (manifest.config.ts), and the path of the screen for it. */
export const SHARE_PATH = '/share';
