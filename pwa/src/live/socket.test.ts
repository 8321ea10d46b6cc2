import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseFrame } from './frames.ts';
import { Socket } from './socket.ts';

class FakeWebSocket {
  static all: FakeWebSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: string[] = [];
  closed = false;
  constructor() {
    FakeWebSocket.all.push(this);
  }
  send(data: string) {
    this.sent.push(data);
  }
  close() {
    this.closed = true;
  }
}

let socket: Socket;
let onSignedOut: ReturnType<typeof vi.fn<() => void>>;
let onRefused: ReturnType<typeof vi.fn<() => void>>;
const sockets = () => FakeWebSocket.all;
const last = () => FakeWebSocket.all[FakeWebSocket.all.length - 1] as FakeWebSocket;
const end = (code: number, reason = '') => last().onclose?.({ code, reason });

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.all = [];
  onSignedOut = vi.fn<() => void>();
  onRefused = vi.fn<() => void>();
  const open = () => new FakeWebSocket() as unknown as WebSocket;
  socket = new Socket({ url: () => 'ws://x/ws', open, random: () => 1, onSignedOut, onRefused });
  socket.connect();
  return () => vi.useRealTimers();
});

describe('reconnecting', () => {
  it('tries five times with delays that double from one second, then gives up until connect()', () => {
    const waits: number[] = [];
    for (end(1006); socket.status === 'connecting'; end(1006)) {
      const before = Date.now();
      const count = sockets().length;
      while (sockets().length === count) vi.advanceTimersByTime(100);
      waits.push(Date.now() - before);
    }
    expect(socket.status).toBe('gaveUp');
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
    vi.advanceTimersByTime(600_000);
    expect(sockets()).toHaveLength(6);
    socket.connect();
    expect(sockets()).toHaveLength(7);
  });

  it('gives up when the server accepts every connection and closes it at once', () => {
    for (let tries = 0; tries < 20 && socket.status === 'connecting'; tries++) {
      last().onopen?.();
      end(1006);
      vi.advanceTimersByTime(60_000);
    }
    expect([socket.status, sockets().length]).toEqual(['gaveUp', 6]);
  });

  it('resets the count after a stable connection', () => {
    for (let tries = 0; tries < 20; tries++) {
      last().onopen?.();
      vi.advanceTimersByTime(5000);
      end(1006);
      vi.advanceTimersByTime(1000);
    }
    expect([socket.status, sockets().length]).toEqual(['connecting', 21]);
  });

  it('tries at once on reconnectNow()', () => {
    end(1006);
    socket.reconnectNow();
    expect(sockets()).toHaveLength(2);
    last().onopen?.();
    expect(socket.status).toBe('open');
  });

  it.each([
    [1012, 300, ''],
    [1012, 5000, 'restarting; reconnect within 5000 ms'],
    [1012, 30_000, 'restarting; reconnect within 9999999 ms'],
    [4008, 1000, ''],
    [4029, 10_000, ''],
  ])('after close code %i in %i ms for the reason "%s"', (code, ms, reason) => {
    last().onopen?.();
    end(code, reason);
    vi.advanceTimersByTime(ms - 1);
    expect(sockets()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets()).toHaveLength(2);
  });

  it('keeps trying with longer delays while there are too many connections', () => {
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      last().onopen?.();
      end(4011);
      expect(socket.status).toBe('connecting');
      const before = Date.now();
      const count = sockets().length;
      while (sockets().length === count) vi.advanceTimersByTime(1000);
      waits.push((Date.now() - before) / 1000);
    }
    expect(waits).toEqual([10, 20, 40, 80, 120, 120, 120, 120]);
  });

  it('aborts a handshake that takes too long', () => {
    vi.advanceTimersByTime(8000);
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(sockets()).toHaveLength(2);
  });
});

describe('a refused connection', () => {
  it('is reported once in a series of retries', () => {
    end(1006);
    expect(onRefused).toHaveBeenCalledTimes(1);
    for (let retry = 0; retry < 5; retry++) {
      vi.advanceTimersByTime(30_000);
      end(1006);
    }
    expect([socket.status, onRefused.mock.calls.length]).toEqual(['gaveUp', 1]);
    socket.reconnectNow();
    end(1006);
    expect(onRefused).toHaveBeenCalledTimes(2);
  });

  it('is not the loss of an open connection', () => {
    last().onopen?.();
    vi.advanceTimersByTime(5000);
    end(1006);
    expect(onRefused).not.toHaveBeenCalled();
  });
});

describe('after a final close', () => {
  it('does not reconnect after close code 4001, and reports the end of the session', () => {
    last().onopen?.();
    end(4001);
    vi.advanceTimersByTime(600_000);
    socket.reconnectNow();
    expect([socket.status, sockets().length, onSignedOut.mock.calls.length]).toEqual(['closed', 1, 1]);
  });

  it.each([1000, 4003])('does not reconnect after close code %i', (code) => {
    last().onopen?.();
    end(code);
    vi.advanceTimersByTime(600_000);
    expect([socket.status, sockets().length]).toEqual(['closed', 1]);
  });

  it('does not reconnect after disconnect(), and ignores the old socket', () => {
    const onSync = vi.fn();
    socket.on('sync', onSync);
    last().onopen?.();
    const oldSocket = last();
    socket.disconnect();
    oldSocket.onmessage?.({ data: '{"type":"sync"}' });
    vi.advanceTimersByTime(600_000);
    expect([sockets().length, onSync.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('an open socket', () => {
  it('detects a dead connection by the missing pong', () => {
    last().onopen?.();
    vi.advanceTimersByTime(25_000);
    expect(last().sent).toEqual(['{"type":"ping"}']);
    vi.advanceTimersByTime(8000);
    expect(socket.status).toBe('connecting');
  });

  it('stays open while frames arrive', () => {
    last().onopen?.();
    for (let beat = 0; beat < 10; beat++) {
      vi.advanceTimersByTime(25_000);
      last().onmessage?.({ data: '{"type":"pong"}' });
    }
    expect([socket.status, sockets().length]).toEqual(['open', 1]);
  });

  it('sends frames, and a connecting one does not', () => {
    expect(socket.send({ type: 'ping' })).toBe(false);
    last().onopen?.();
    expect(socket.send({ type: 'typing_start', recipientId: 'x' })).toBe(true);
  });

  it('passes frames to the listeners of their type and ignores other data', () => {
    const userIds: unknown[] = [];
    const stop = socket.on('user_typing', (frame) => userIds.push(frame.userId));
    last().onopen?.();
    const emit = (data: string) => last().onmessage?.({ data });
    emit('{"type":"user_typing","userId":"a","isTyping":true}');
    emit('{"type":"unknown"}');
    emit('not json');
    stop();
    emit('{"type":"user_typing","userId":"b","isTyping":true}');
    expect(userIds).toEqual(['a']);
    expect([null, 7, '[]', '{}', '{"type":1}'].map(parseFrame)).toEqual([null, null, null, null, null]);
  });
});
