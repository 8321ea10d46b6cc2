import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseFrame } from './frames.ts';
import { Socket } from './socket.ts';

class FakeWebSocket {
  static all: FakeWebSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
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
let signedOut: ReturnType<typeof vi.fn<() => void>>;
const sockets = () => FakeWebSocket.all;
const last = () => FakeWebSocket.all[FakeWebSocket.all.length - 1] as FakeWebSocket;
const end = (code: number) => last().onclose?.({ code });

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.all = [];
  signedOut = vi.fn<() => void>();
  const open = () => new FakeWebSocket() as unknown as WebSocket;
  socket = new Socket({ url: () => 'ws://x/ws', open, random: () => 1, onSignedOut: signedOut });
  socket.connect();
  return () => vi.useRealTimers();
});

describe('coming back', () => {
  it('tries five times, doubling from one second, then leaves it to the member', () => {
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

  it('gives up on a server that takes every connection and drops it at once', () => {
    for (let tries = 0; tries < 20 && socket.status === 'connecting'; tries++) {
      last().onopen?.();
      end(1006);
      vi.advanceTimersByTime(60_000);
    }
    expect([socket.status, sockets().length]).toEqual(['gaveUp', 6]);
  });

  it('counts afresh after a connection that lasted', () => {
    for (let tries = 0; tries < 20; tries++) {
      last().onopen?.();
      vi.advanceTimersByTime(5000);
      end(1006);
      vi.advanceTimersByTime(1000);
    }
    expect([socket.status, sockets().length]).toEqual(['connecting', 21]);
  });

  it('tries at once when the device wakes up, and counts afresh', () => {
    end(1006);
    socket.reconnectNow();
    expect(sockets()).toHaveLength(2);
    last().onopen?.();
    expect(socket.status).toBe('open');
  });

  it.each([
    [1012, 300],
    [4008, 1000],
    [4029, 10_000],
  ])('after close code %i in %i ms', (code, ms) => {
    last().onopen?.();
    end(code);
    vi.advanceTimersByTime(ms - 1);
    expect(sockets()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sockets()).toHaveLength(2);
  });

  it('keeps trying, ever more slowly, while there are too many connections', () => {
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

  it('gives up a handshake that hangs', () => {
    vi.advanceTimersByTime(8000);
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(sockets()).toHaveLength(2);
  });
});

describe('staying away', () => {
  it('ends and says so when the session is over', () => {
    last().onopen?.();
    end(4001);
    vi.advanceTimersByTime(600_000);
    socket.reconnectNow();
    expect([socket.status, sockets().length, signedOut.mock.calls.length]).toEqual(['closed', 1, 1]);
  });

  it.each([1000, 4003])('does not return after close code %i', (code) => {
    last().onopen?.();
    end(code);
    vi.advanceTimersByTime(600_000);
    expect([socket.status, sockets().length]).toEqual(['closed', 1]);
  });

  it('does not return after disconnect, nor hears the old socket', () => {
    const heard = vi.fn();
    socket.on('sync', heard);
    last().onopen?.();
    const old = last();
    socket.disconnect();
    old.onmessage?.({ data: '{"type":"sync"}' });
    vi.advanceTimersByTime(600_000);
    expect([sockets().length, heard.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('while it is open', () => {
  it('notices a dead connection by the missing pong', () => {
    last().onopen?.();
    vi.advanceTimersByTime(25_000);
    expect(last().sent).toEqual(['{"type":"ping"}']);
    vi.advanceTimersByTime(8000);
    expect(socket.status).toBe('connecting');
  });

  it('stays while frames come', () => {
    last().onopen?.();
    for (let beat = 0; beat < 10; beat++) {
      vi.advanceTimersByTime(25_000);
      last().onmessage?.({ data: '{"type":"pong"}' });
    }
    expect([socket.status, sockets().length]).toEqual(['open', 1]);
  });

  it('sends only then', () => {
    expect(socket.send({ type: 'ping' })).toBe(false);
    last().onopen?.();
    expect(socket.send({ type: 'typing_start', recipientId: 'x' })).toBe(true);
  });

  it('passes frames to those who asked for their type and survives what is none', () => {
    const heard: unknown[] = [];
    const stop = socket.on('user_typing', (frame) => heard.push(frame.userId));
    last().onopen?.();
    const say = (data: string) => last().onmessage?.({ data });
    say('{"type":"user_typing","userId":"a","isTyping":true}');
    say('{"type":"unknown"}');
    say('not json');
    stop();
    say('{"type":"user_typing","userId":"b","isTyping":true}');
    expect(heard).toEqual(['a']);
    expect([null, 7, '[]', '{}', '{"type":1}'].map(parseFrame)).toEqual([null, null, null, null, null]);
  });
});
