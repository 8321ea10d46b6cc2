/**
 * Events between parts of the app that do not import each other: for example, the outbox reports that the session has
 * ended. An event stays in this tab, and is lost if nothing has subscribed to it yet.
 */
import { createEmitter } from './store.ts';

/** The server has answered that the session is over. The app then fetches the signed-in member again. */
export const sessionRefused = createEmitter();

/** The server has refused the socket. The session may be over. */
export const socketRefused = createEmitter();

/** The stored draft of a conversation was changed by something else than its composer. */
export const draftChanged = createEmitter();

/** A tab with a newer version of the app has upgraded the database: this version can no longer store anything. */
export const databaseUpgraded = createEmitter();
