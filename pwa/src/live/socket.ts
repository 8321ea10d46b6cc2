/**
 * The connection to the server's WebSocket, identified by the session's cookie. Frames may be lost: after each
 * connection a sync fetches the missed changes.
 */

import { FrameSource } from './frameSource.ts';
import { type ClientFrame, parseFrame, type ServerFrame } from './frames.ts';

const RETRIES = 5;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** After this time without a frame a ping is sent. */
const PING_MS = 25_000;
const PONG_TIMEOUT_MS = 8000;
const FLOOD_PAUSE_MS = 10_000;
/** The first delay after "too many connections", which other devices or members on the same network may have open. */
const BUSY_DELAY_MS = 10_000;
const BUSY_MAX_DELAY_MS = 120_000;
/** Only a connection open for this long resets the backoff: a server may accept connections and close them at once. */
const STABLE_MS = 5000;

const CLOSE = { normal: 1000, restart: 1012, signedOut: 4001, forbidden: 4003, flood: 4029, tooMany: 4011 };

const RESTART_WINDOW_MS = 300;

/** Returns the window in which the server asks its clients to reconnect, at most MAX_DELAY_MS. */
function restartWindow(reason: string): number {
  return Math.min(Number(/within (\d+) ms/.exec(reason)?.[1] ?? RESTART_WINDOW_MS), MAX_DELAY_MS);
}

type Deps = {
  url: () => string;
  open?: (url: string) => WebSocket;
  random?: () => number;
  /** The session is over (close code 4001). */
  onSignedOut: () => void;
  /** A connection was refused. A browser does not tell why: the session may be over, or there may be no network. */
  onRefused: () => void;
};

export class Socket extends FrameSource {
  /** Called with every frame, before its listeners. */
  onFrame: (frame: ServerFrame) => void = () => undefined;
  private socket: WebSocket | null = null;
  private attempts = 0;
  private openedAt = Number.POSITIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pongTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: Deps) {
    super();
  }

  /**
   * Connects, and reconnects after a loss, until disconnect(), five failed retries or a close code that forbids it. May
   * be called again.
   */
  connect(): void {
    if (this.status === 'open' || this.socket) return;
    this.attempts = 0;
    this.dial();
  }

  /** Closes the connection; only connect() opens it again. */
  disconnect(): void {
    this.close();
    this.setStatus('closed');
  }

  /**
   * Retries at once and resets the backoff, or checks an open connection; does nothing after disconnect(). Call it when
   * connecting may succeed now: online, visible, a tap.
   */
  reconnectNow = (): void => {
    if (this.status === 'open') this.checkAlive();
    if (this.status === 'closed' || this.socket) return;
    this.attempts = 0;
    this.dial();
  };

  /** Returns false when the socket is not open; the frame is then dropped. */
  send(frame: ClientFrame): boolean {
    if (this.status !== 'open' || !this.socket) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  private dial(): void {
    clearTimeout(this.timer);
    this.setStatus('connecting');
    const socket = (this.deps.open ?? ((url) => new WebSocket(url)))(this.deps.url());
    this.socket = socket;
    // A handshake may hang for minutes on a bad network.
    this.pongTimer = setTimeout(() => this.handleClose(socket, 1006), PONG_TIMEOUT_MS);
    socket.onopen = () => this.handleOpen();
    socket.onmessage = (event) => this.handleMessage(event.data);
    socket.onclose = (event) => this.handleClose(socket, event.code, event.reason);
  }

  private handleOpen(): void {
    this.openedAt = performance.now();
    this.restartPingTimer();
    this.setStatus('open');
  }

  private handleMessage(data: unknown): void {
    this.restartPingTimer();
    const frame = parseFrame(data);
    if (!frame) return;
    this.onFrame(frame);
    this.emit(frame);
  }

  /** Postpones the next ping after a frame, and stops waiting for a pong. */
  private restartPingTimer(): void {
    clearTimeout(this.pongTimer);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.checkAlive(), PING_MS);
  }

  private checkAlive(): void {
    const { socket } = this;
    if (!socket || !this.send({ type: 'ping' })) return;
    clearTimeout(this.pongTimer);
    this.pongTimer = setTimeout(() => this.handleClose(socket, 1006), PONG_TIMEOUT_MS);
  }

  private handleClose(socket: WebSocket, code: number, reason = ''): void {
    if (socket !== this.socket) return;
    if (performance.now() - this.openedAt >= STABLE_MS) this.attempts = 0;
    // Once in a series of retries.
    if (this.status === 'connecting' && this.attempts === 0) this.deps.onRefused();
    this.close();
    if (code === CLOSE.signedOut) {
      this.setStatus('closed');
      this.deps.onSignedOut();
    } else if (code === CLOSE.normal || code === CLOSE.forbidden) this.setStatus('closed');
    else if (code !== CLOSE.tooMany && this.attempts >= RETRIES) this.setStatus('gaveUp');
    else this.retryIn(this.delay(code, reason));
  }

  private delay(code: number, reason: string): number {
    const random = this.deps.random ?? Math.random;
    // After a restart there is no backoff, but some jitter, because thousands of clients reconnect.
    if (code === CLOSE.restart && this.attempts === 0) return restartWindow(reason) * random();
    if (code === CLOSE.flood) return FLOOD_PAUSE_MS;
    const [first, cap] =
      code === CLOSE.tooMany ? [BUSY_DELAY_MS, BUSY_MAX_DELAY_MS] : [FIRST_DELAY_MS, MAX_DELAY_MS];
    const full = Math.min(cap, first * 2 ** this.attempts);
    return full * (0.75 + 0.25 * random());
  }

  private retryIn(ms: number): void {
    this.attempts += 1;
    this.setStatus('connecting');
    this.timer = setTimeout(() => this.dial(), ms);
  }

  private close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.pongTimer);
    const { socket } = this;
    this.socket = null;
    this.openedAt = Number.POSITIVE_INFINITY;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(CLOSE.normal);
  }
}
