/**
 * Sends the outbox of a session from the page: at the start, after each write, and whenever sending may succeed. One tab
 * of the member is the leader, which sends; the others ask it to.
 */
import { sessionRefused } from '@/base/events.ts';
import { part } from '@/base/pageSession.ts';
import { deviceMember } from '@/base/storage.ts';
import { dbOf, type HeartwardDb, rereadTables } from '../store/db.ts';
import { cacheEntries } from '../store/pageCache.ts';
import type { OutboxRow } from '../store/rows.ts';
import type { drain as Drain, DrainEnv, Settled } from './drain.ts';
import { onTabMessage, postToTabs, withOutboxLock } from './lock.ts';
import { uploadUrlsOf } from './profileFileBody.ts';
import { setProgress } from './progress.ts';
import { timerMs } from './timer.ts';
import type { ScalePicture } from './uploadProfileFile.ts';

/** `isOwn`: whether this tab has sent the row, and not another one or the worker. */
type Listener = (result: Settled, isOwn: boolean) => void;

class Sender {
  private readonly listeners = new Set<Listener>();
  private readonly responseListeners = new Set<(row: OutboxRow) => Promise<unknown>>();
  private readonly dropListeners = new Set<(clientId: string) => unknown>();
  /** The rows whose files this tab is uploading. */
  private readonly uploads = new Map<string, AbortController>();
  private scalePicture: ScalePicture = async (bytes) => bytes;
  /** Sends the rows; it is loaded with the background tasks, and until then rows wait. */
  private drain: typeof Drain | undefined;
  private isDraining = false;
  private rerun: { eager: boolean } | null = null;
  private isStopped = false;
  /** Whether the server has refused the session, so that only an eager call tries again. */
  private isPaused = false;
  /** Whether another tab is the leader, which sends. */
  private isFollower = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private notifyRowAdded: (eager: boolean) => void = () => undefined;
  private hasRequestedPersistence = false;

  constructor(private readonly db: HeartwardDb) {
    db.session.onStop(() => this.stop());
  }

  /**
   * Calls the listener with the result of each row, sent by any tab or by the worker. Nothing is sent before `setDrain`,
   * so a listener that is added earlier misses none. Returns a function that removes it.
   */
  onSettled(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sets the function that sends. It is not loaded on first use, because the device may then be offline. */
  setDrain(send: typeof Drain): void {
    this.drain = send;
  }

  /**
   * Calls the listener with each row that this tab has sent, and waits for it before the row is removed: what a screen
   * shows of a row is then replaced by what the server has made of it. Returns a function that removes the listener.
   */
  onResponse(listener: (row: OutboxRow) => Promise<unknown>): () => void {
    this.responseListeners.add(listener);
    return () => this.responseListeners.delete(listener);
  }

  /** Calls the listener with the id of each row that the member leaves out, in any tab, while it may be on its way. */
  onDropped(listener: (clientId: string) => unknown): () => void {
    this.dropListeners.add(listener);
    return () => this.dropListeners.delete(listener);
  }

  /** Ends the upload of a row that was deleted, in every tab. */
  drop(clientId: string): void {
    this.handleDropped(clientId);
    postToTabs(this.db.scope, { kind: 'dropped', clientId });
  }

  private handleDropped(clientId: string): void {
    this.uploads.get(clientId)?.abort();
    for (const listener of this.dropListeners) listener(clientId);
  }

  /** Whether this tab sends, and not another one. */
  get isLeader(): boolean {
    return !this.isFollower;
  }

  /** Sets the function that scales the pictures of the profile down before they are uploaded. */
  setScalePicture(scale: ScalePicture): void {
    this.scalePicture = scale;
  }

  /** Sends the rows that are due; with `eager` also those that wait for the end of their backoff. Cheap to call often. */
  kick({ eager = false } = {}): void {
    this.notifyRowAdded(eager);
    if (this.isDraining) this.rerun = { eager: eager || (this.rerun?.eager ?? false) };
    else void this.drainNow(eager);
  }

  /** Asks the browser once to keep the data. Some browsers show a prompt, which must follow an action of the member. */
  async requestPersistence(): Promise<void> {
    if (this.hasRequestedPersistence) return;
    this.hasRequestedPersistence = true;
    await navigator.storage?.persist?.();
  }

  /**
   * Sends whenever sending may succeed: now, online, visible, a message of the worker. A follower asks the leader to
   * send, and reports its results. Returns a function that stops it, until it is started again.
   */
  start(role: 'leader' | 'follower'): () => void {
    const { db } = this;
    this.isStopped = db.session.isStopped;
    this.isFollower = role === 'follower';
    this.isPaused = false;
    const kickEagerly = () => this.kick({ eager: true });
    const kickIfVisible = () => document.visibilityState === 'visible' && kickEagerly();
    const onWorkerMessage = (event: MessageEvent) => {
      if (event.data?.type !== 'hw-outbox' || event.data.memberId !== db.memberId) return;
      rereadTables(db, ['outbox', 'messages', 'threads', 'conversations', 'files', 'posts', 'profileFiles']);
      for (const result of event.data.results as Settled[]) {
        this.report(result, false);
        // The worker does not load the transport of the uploads.
        if (!result.ok && this.isLeader) void this.deleteUploads(result.row).catch(() => undefined);
      }
      // Sends the rows that the worker could not send, because not every browser runs it again.
      this.kick();
    };
    addEventListener('online', kickEagerly);
    addEventListener('pageshow', kickEagerly);
    document.addEventListener('visibilitychange', kickIfVisible);
    navigator.serviceWorker?.addEventListener('message', onWorkerMessage);
    const stopListening = onTabMessage(db.scope, (message) => {
      if (message.kind === 'kick' && !this.isFollower) this.kick({ eager: message.eager });
      // To the leader too: the leader before it finishes its last requests.
      if (message.kind === 'settled') for (const result of message.results) this.report(result, false);
      if (message.kind === 'dropped') this.handleDropped(message.clientId);
    });
    kickEagerly();
    return () => {
      this.stop();
      stopListening();
      removeEventListener('online', kickEagerly);
      removeEventListener('pageshow', kickEagerly);
      document.removeEventListener('visibilitychange', kickIfVisible);
      navigator.serviceWorker?.removeEventListener('message', onWorkerMessage);
    };
  }

  private stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const upload of this.uploads.values()) upload.abort();
    this.notifyRowAdded(false);
  }

  private report(result: Settled, isOwn: boolean): void {
    for (const listener of this.listeners) listener(result, isOwn);
  }

  /** Runs the upload of a row's files, until the row is dropped or this tab stops sending. */
  private async whileUploading<T>(clientId: string, upload: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.uploads.set(clientId, controller);
    try {
      // `stop` has aborted those before this one.
      if (this.isStopped || this.isFollower) controller.abort();
      controller.signal.throwIfAborted();
      return await upload(controller.signal);
    } finally {
      this.uploads.delete(clientId);
    }
  }

  /** Deletes the uploads of a rejected file of the profile from the server, which limits the number of open ones. */
  private async deleteUploads({ body }: OutboxRow): Promise<void> {
    if (body.kind !== 'profileFile') return;
    const { deleteUploads } = await import('./tus.ts');
    await deleteUploads(this.db.memberId, uploadUrlsOf(body));
  }

  private kickAfter(ms: number, eager = false): void {
    this.timer = setTimeout(() => this.kick({ eager }), ms);
  }

  private async drainNow(eager: boolean): Promise<void> {
    const { drain, db } = this;
    if (!drain || this.isStopped || (this.isPaused && !eager)) return;
    this.isDraining = true;
    clearTimeout(this.timer);
    try {
      if (this.isFollower) return postToTabs(db.scope, { kind: 'kick', eager });
      const result = await withOutboxLock(db.scope, () => drain(this.env(), eager));
      if (result === 'busy') {
        // The worker or the previous leader is sending. It is notified of the new row, and this tab tries again later.
        postToTabs(db.scope, { kind: 'kick', eager });
        this.kickAfter(1000, eager);
      } else {
        this.isPaused = result.unauthorized;
        if (this.isPaused) sessionRefused.emit();
        else if (result.nextAt !== null) this.kickAfter(timerMs(result.nextAt - Date.now()));
      }
    } catch (error) {
      if (!this.isStopped) console.warn('The outbox could not be read; trying again', error);
      this.kickAfter(5000);
    } finally {
      this.isDraining = false;
    }
    const next = this.rerun;
    this.rerun = null;
    if (next) void this.drainNow(next.eager);
  }

  private env(): DrainEnv {
    const { db } = this;
    const entriesBefore = cacheEntries();
    return {
      memberId: db.memberId,
      transact: db.transact,
      fetch: (input, init) => fetch(input, init),
      upload: (file, onAccepted) =>
        this.whileUploading(file.localId, async (signal) =>
          (await import('./upload.ts')).uploadFile(db, file, onAccepted, signal),
        ),
      uploadProfileFile: (row, onAccepted) =>
        this.whileUploading(row.clientId, async (signal) =>
          (await import('./uploadProfileFile.ts')).uploadProfileFile(db, row, {
            scale: this.scalePicture,
            onAccepted,
            signal,
          }),
        ),
      now: Date.now,
      random: Math.random,
      rowAdded: () =>
        new Promise((resolve) => {
          this.notifyRowAdded = resolve;
        }),
      // The page loses the lock in the back/forward cache. And the cookie may be another member's by now, whose session
      // must not send these rows.
      isStopped: () =>
        this.isStopped ||
        this.isFollower ||
        cacheEntries() !== entriesBefore ||
        deviceMember() !== db.memberId,
      onResponse: (row) => Promise.allSettled([...this.responseListeners].map((listener) => listener(row))),
      onSettled: (result) => {
        this.report(result, true);
        setProgress(db, result.row.clientId, null);
        if (!result.ok) void this.deleteUploads(result.row).catch(() => undefined);
        postToTabs(db.scope, { kind: 'settled', results: [result] });
      },
    };
  }
}

export const senderOf = part((session) => new Sender(dbOf(session)));
