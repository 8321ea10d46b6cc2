/**
 * The one socket of all tabs of a member. The leader has the connection. Over a BroadcastChannel it forwards frames
 * and status to the followers, and sends their frames.
 */

import { FrameSource, type SocketStatus } from './frameSource.ts';
import type { ClientFrame, ServerFrame } from './frames.ts';
import type { Socket } from './socket.ts';

type TabMessage =
  | { kind: 'frame'; frame: ServerFrame }
  | { kind: 'status'; status: SocketStatus }
  /** The following kinds are for the leader. */
  | { kind: 'join' }
  | { kind: 'send'; frame: ClientFrame }
  | { kind: 'connect' }
  | { kind: 'reconnect' };

export class SharedSocket extends FrameSource {
  /** Whether this tab has the connection. */
  isLeader = false;
  private channel: BroadcastChannel | null = null;

  constructor(private readonly socket: Socket) {
    super();
    socket.onFrame = (frame) => {
      this.post({ kind: 'frame', frame });
      this.emit(frame);
    };
    socket.onStatus(() => {
      if (!this.isLeader) return;
      this.post({ kind: 'status', status: socket.status });
      this.setStatus(socket.status);
    });
  }

  /** Connects and serves the followers. Returns a function that stops both. */
  lead(scope: string): () => void {
    this.join(scope, true);
    this.socket.connect();
    return () => this.leave();
  }

  /** Receives the frames of the leader. Returns a function that stops it. */
  follow(scope: string): () => void {
    this.join(scope, false);
    this.post({ kind: 'join' });
    return () => this.leave();
  }

  /** Connects again after the socket has been closed or has given up. */
  connect(): void {
    if (this.isLeader) this.socket.connect();
    else this.post({ kind: 'connect' });
  }

  /** Closes this tab's connection, if it is the leader; only connect() and lead() open it again. */
  disconnect(): void {
    this.socket.disconnect();
  }

  /**
   * Retries at once and resets the backoff, or checks an open connection; does nothing after disconnect(). Call it when
   * connecting may succeed now: online, visible, a tap.
   */
  reconnectNow = (): void => {
    if (this.isLeader) this.socket.reconnectNow();
    else this.post({ kind: 'reconnect' });
  };

  /** Returns false when the socket is not open; nothing is stored for later. */
  send(frame: ClientFrame): boolean {
    if (this.isLeader) return this.socket.send(frame);
    if (this.status !== 'open') return false;
    this.post({ kind: 'send', frame });
    return true;
  }

  private join(scope: string, isLeader: boolean): void {
    this.isLeader = isLeader;
    this.channel = new BroadcastChannel(`hw-live-${scope}`);
    this.channel.onmessage = ({ data }) => (this.isLeader ? this.serve(data) : this.receive(data));
  }

  private leave(): void {
    this.socket.disconnect();
    this.isLeader = false;
    this.channel?.close();
    this.channel = null;
    this.setStatus('closed');
  }

  /** Handles a message of another tab, as the leader. */
  private serve(message: TabMessage): void {
    if (message.kind === 'join') this.post({ kind: 'status', status: this.socket.status });
    if (message.kind === 'send') this.socket.send(message.frame);
    if (message.kind === 'connect') this.socket.connect();
    if (message.kind === 'reconnect') this.socket.reconnectNow();
  }

  /** Handles a message of the leader, as a follower. */
  private receive(message: TabMessage): void {
    if (message.kind === 'frame') this.emit(message.frame);
    if (message.kind === 'status') this.setStatus(message.status);
  }

  private post(message: TabMessage): void {
    this.channel?.postMessage(message);
  }
}
