/**
 * The connection to the server's WebSocket, identified by the session's cookie. Its frames may be lost: a sync when the
 * status becomes 'open' brings what was missed.
 */

import { FrameSource } from './frameSource.ts';
import { type ClientFrame, parseFrame, type ServerFrame } from './frames.ts';

const RETRIES = 5;
const FIRST_DELAY_MS = 1000;
const CAP_MS = 30_000;
/** A connection without a frame for longer than this is tested by a ping. */
const PING_MS = 25_000;
const PONG_LIMIT_MS = 8000;
const FLOOD_PAUSE_MS = 10_000;
/** The first wait after "too many connections": other tabs or members of the same network use them now. */
const BUSY_DELAY_MS = 10_000;
const BUSY_CAP_MS = 120_000;
/** Open for less than this is no success: a server that takes and drops at once is retried ever more slowly. */
const STEADY_MS = 5000;

const CLOSE = { normal: 1000, restart: 1012, signedOut: 4001, forbidden: 4003, flood: 4029, tooMany: 4011 };

type Deps = {
  url: () => string;
  open?: (url: string) => WebSocket;
  random?: () => number;
  /** The session is over (close code 4001). */
  onSignedOut: () => void;
};

export class Socket extends FrameSource {
  /** Receives every frame, before its own listeners. */
  onFrame: (frame: ServerFrame) => void = () => undefined;
  private socket: WebSocket | null = null;
  private attempts = 0;
  private openedAt = Number.POSITIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pongTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: Deps) {
    super();
  }

  /** Opens the socket and keeps it open until disconnect(). Safe to call again. */
  connect(): void {
    if (this.status === 'open' || this.socket) return;
    this.attempts = 0;
    this.dial();
  }

  /** Ends the connection; only connect() brings it back. */
  disconnect(): void {
    this.drop();
    this.setStatus('closed');
  }

  /** Something suggests that it works now (online, visible, the member's tap): try at once, count afresh. */
  reconnectNow = (): void => {
    if (this.status === 'open') this.checkAlive();
    if (this.status === 'closed' || this.socket) return;
    this.attempts = 0;
    this.dial();
  };

  /** False when the socket is not open; nothing is kept for later. */
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
    this.pongTimer = setTimeout(() => this.lost(socket, 1006), PONG_LIMIT_MS);
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(event.data);
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  private opened(): void {
    this.openedAt = performance.now();
    this.expectFrame();
    this.setStatus('open');
  }

  private received(data: unknown): void {
    this.expectFrame();
    const frame = parseFrame(data);
    if (!frame) return;
    this.onFrame(frame);
    this.emit(frame);
  }

  /** A frame just came: ask again in a while, and the timer of the last question is off. */
  private expectFrame(): void {
    clearTimeout(this.pongTimer);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.checkAlive(), PING_MS);
  }

  private checkAlive(): void {
    const { socket } = this;
    if (!socket || !this.send({ type: 'ping' })) return;
    clearTimeout(this.pongTimer);
    this.pongTimer = setTimeout(() => this.lost(socket, 1006), PONG_LIMIT_MS);
  }

  private lost(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    if (performance.now() - this.openedAt >= STEADY_MS) this.attempts = 0;
    this.drop();
    if (code === CLOSE.signedOut) {
      this.setStatus('closed');
      this.deps.onSignedOut();
    } else if (code === CLOSE.normal || code === CLOSE.forbidden) this.setStatus('closed');
    else if (code !== CLOSE.tooMany && this.attempts >= RETRIES) this.setStatus('gaveUp');
    else this.retryIn(this.delay(code));
  }

  private delay(code: number): number {
    const spread = this.deps.random ?? Math.random;
    // Restart: at once, though not thousands of clients in the same millisecond.
    if (code === CLOSE.restart && this.attempts === 0) return 300 * spread();
    if (code === CLOSE.flood) return FLOOD_PAUSE_MS;
    const [first, cap] = code === CLOSE.tooMany ? [BUSY_DELAY_MS, BUSY_CAP_MS] : [FIRST_DELAY_MS, CAP_MS];
    const full = Math.min(cap, first * 2 ** this.attempts);
    return full * (0.75 + 0.25 * spread());
  }

  private retryIn(ms: number): void {
    this.attempts += 1;
    this.setStatus('connecting');
    this.timer = setTimeout(() => this.dial(), ms);
  }

  private drop(): void {
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
