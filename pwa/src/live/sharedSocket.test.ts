import { beforeEach, expect, it, vi } from 'vitest';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

/** A tab with its own socket; `server` is the other end of the connection. */
function openTab() {
  const sent: string[] = [];
  const server = { send: (text: string) => sent.push(text), close: () => undefined } as unknown as WebSocket;
  const open = vi.fn(() => server);
  const socket = new SharedSocket(new Socket({ url: () => 'ws://x/ws', open, onSignedOut: () => undefined }));
  const heard: string[] = [];
  socket.on('user_typing', ({ userId }) => heard.push(userId));
  return { server, socket, sent, heard, open };
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

it('gives the frames and the status of one connection to both tabs', async () => {
  await connected();
  expect(follower.open).not.toHaveBeenCalled();
  leader.server.onmessage?.(typing);
  await vi.waitFor(() => expect([leader.heard, follower.heard]).toEqual([['ada'], ['ada']]));
  leader.server.onclose?.({ code: 1006 } as CloseEvent);
  await vi.waitFor(() => expect(follower.socket.status).toBe('connecting'));
});

it('sends what a follower wants to send', async () => {
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(false);
  await connected();
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(true);
  await vi.waitFor(() => expect(leader.sent).toContain('{"type":"get_online_users"}'));
});

it('tells a tab that is opened later how the connection is', async () => {
  await connected();
  const late = openTab();
  stops.push(late.socket.follow('ME'));
  await vi.waitFor(() => expect(late.socket.status).toBe('open'));
});
