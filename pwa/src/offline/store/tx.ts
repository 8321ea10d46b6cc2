/**
 * The transaction interface that the page (with Dexie) and the service worker (with plain IndexedDB) implement. This
 * module must import neither Dexie nor React.
 */
import type { Me } from '../../api/types.ts';
import type { MetaRow } from './meta.ts';
import type {
  BlobRow,
  ConversationRow,
  FileRow,
  MessageRow,
  OutboxRow,
  PostRow,
  ProfileFileRow,
  ThreadRow,
} from './rows.ts';

type Rows = {
  files: FileRow;
  blobs: BlobRow;
  conversations: ConversationRow;
  threads: ThreadRow;
  messages: MessageRow;
  outbox: OutboxRow;
  posts: PostRow;
  profileFiles: ProfileFileRow;
  meta: MetaRow;
  /** The own profile. */
  me: Me;
};
export type TableName = keyof Rows;
export type RowKey = string | [string, string];

export interface Tx {
  get<K extends TableName>(table: K, key: RowKey): Promise<Rows[K] | undefined>;
  put<K extends TableName>(table: K, row: Rows[K]): Promise<void>;
  delete(table: TableName, key: RowKey): Promise<void>;
  all<K extends TableName>(table: K): Promise<Rows[K][]>;
}

/** Runs work in one read-write transaction, which stores all of its changes or none. */
export type Transact = <T>(tables: TableName[], work: (tx: Tx) => Promise<T>) => Promise<T>;
