import type { FrameOf, ServerFrame } from './frames.ts';

/** 'gaveUp': five retries failed, and the socket waits for `reconnectNow` or `connect`; 'closed': disconnected. */
export type SocketStatus = 'closed' | 'connecting' | 'open' | 'gaveUp';

/** The listeners of a socket, by the type of frame. */
export abstract class FrameSource {
  status: SocketStatus = 'closed';
  private readonly statusListeners = new Set<() => void>();
  private readonly frameListeners = new Map<string, Set<(frame: never) => void>>();

  /** Calls the listener with each frame of this type. Returns a function that stops it. */
  on<T extends ServerFrame['type']>(type: T, listener: (frame: FrameOf<T>) => void): () => void {
    const listeners = this.frameListeners.get(type) ?? new Set();
    this.frameListeners.set(type, listeners);
    listeners.add(listener as (frame: never) => void);
    return () => listeners.delete(listener as (frame: never) => void);
  }

  /** Calls the listener with each frame of these types. Returns a function that stops it. */
  onAny(types: readonly ServerFrame['type'][], listener: () => void): () => void {
    const stops = types.map((type) => this.on(type, listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  onStatus = (listener: () => void): (() => void) => {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  };

  protected emit(frame: ServerFrame): void {
    for (const listener of this.frameListeners.get(frame.type) ?? []) {
      try {
        listener(frame as never);
      } catch (error) {
        // The frame may have a shape that this build does not know. The other listeners must receive it nevertheless.
        console.warn(`A listener failed on a ${frame.type} frame`, error);
      }
    }
  }

  protected setStatus(status: SocketStatus): void {
    if (status === this.status) return;
    this.status = status;
    for (const listener of this.statusListeners) listener();
  }
}
