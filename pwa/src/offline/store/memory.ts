/** The store of a device that keeps nothing. It is a chunk of its own, which other devices do not load. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { storeInMemory } from './db.ts';

/** Gives the database a store in the memory of this page. Call it before the database is opened. */
export const startMemory = (): void => storeInMemory({ indexedDB: new IDBFactory(), IDBKeyRange });
