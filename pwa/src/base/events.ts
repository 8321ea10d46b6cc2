/**
 * What one part of the app tells parts that it does not know: for example, the outbox that the session has ended. An
 * event stays in this tab, and is lost if nobody has subscribed yet.
 */
import { createEmitter } from './store.ts';

/** The server has answered that the session is over. Whoever shows the account asks again who is signed in. */
export const sessionRefused = createEmitter();

/** The server has refused the socket, which may have the same cause. */
export const socketRefused = createEmitter();

/** The stored draft of a conversation was changed by something else than its composer. */
export const draftChanged = createEmitter();

/** A tab with a newer version of the app has upgraded the database: this version can no longer store anything. */
export const databaseUpgraded = createEmitter();
