import { beforeEach, expect, it, vi } from 'vitest';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

/** A tab with its own socket; `server` is the other end of the connection. */
function openTab() {
  const sent: string[] = [];
  const server = { send: (text: string) => sent.push(text), close: () => undefined } as unknown as WebSocket;
  const open = vi.fn(() => server);
  const socket = new SharedSocket(new Socket({ url: () => 'ws://x/ws', open, onSignedOut: () => undefined }));
  const received: string[] = [];
  socket.on('user_typing', ({ userId }) => received.push(userId));
  return { server, socket, sent, received, open };
}

const typing = {
  data: JSON.stringify({ type: 'user_typing', userId: 'ada', isTyping: true }),
} as MessageEvent;

let leader: ReturnType<typeof openTab>;
let follower: ReturnType<typeof openTab>;
let stops: (() => void)[];
beforeEach(() => {
  leader = openTab();
  follower = openTab();
  stops = [leader.socket.lead('ME'), follower.socket.follow('ME')];
  return () => {
    for (const stop of stops) stop();
  };
});
const connected = async () => {
  leader.server.onopen?.(new Event('open'));
  await vi.waitFor(() => expect(follower.socket.status).toBe('open'));
};

it('both tabs receive the frames and the status of one connection', async () => {
  await connected();
  expect(follower.open).not.toHaveBeenCalled();
  leader.server.onmessage?.(typing);
  await vi.waitFor(() => expect([leader.received, follower.received]).toEqual([['ada'], ['ada']]));
  leader.server.onclose?.({ code: 1006 } as CloseEvent);
  await vi.waitFor(() => expect(follower.socket.status).toBe('connecting'));
});

it('the leader sends the frames of a follower', async () => {
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(false);
  await connected();
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(true);
  await vi.waitFor(() => expect(leader.sent).toContain('{"type":"get_online_users"}'));
});

it('a tab opened later receives the status of the connection', async () => {
  await connected();
  const late = openTab();
  stops.push(late.socket.follow('ME'));
  await vi.waitFor(() => expect(late.socket.status).toBe('open'));
});
