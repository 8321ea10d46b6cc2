import { beforeEach, expect, it, vi } from 'vitest';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

/** A tab with its own socket; `webSocket` is the fake connection that the socket opens. */
function openTab() {
  const sentFrames: string[] = [];
  const webSocket = {
    send: (text: string) => sentFrames.push(text),
    close: () => undefined,
  } as unknown as WebSocket;
  const open = vi.fn(() => webSocket);
  const socket = new SharedSocket(
    new Socket({ url: () => 'ws://x/ws', open, onSignedOut: () => undefined, onRefused: () => undefined }),
  );
  const receivedIds: string[] = [];
  socket.on('user_typing', ({ userId }) => receivedIds.push(userId));
  return { webSocket, socket, sentFrames, receivedIds, open };
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
const connect = async () => {
  leader.webSocket.onopen?.(new Event('open'));
  await vi.waitFor(() => expect(follower.socket.status).toBe('open'));
};

it('both tabs receive the frames and the status of one connection', async () => {
  await connect();
  expect(follower.open).not.toHaveBeenCalled();
  leader.webSocket.onmessage?.(typing);
  await vi.waitFor(() => expect([leader.receivedIds, follower.receivedIds]).toEqual([['ada'], ['ada']]));
  leader.webSocket.onclose?.({ code: 1006 } as CloseEvent);
  await vi.waitFor(() => expect(follower.socket.status).toBe('connecting'));
});

it('the leader sends the frames of a follower', async () => {
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(false);
  await connect();
  expect(follower.socket.send({ type: 'get_online_users' })).toBe(true);
  await vi.waitFor(() => expect(leader.sentFrames).toContain('{"type":"get_online_users"}'));
});

it('a tab opened later receives the status of the connection', async () => {
  await connect();
  const newTab = openTab();
  stops.push(newTab.socket.follow('ME'));
  await vi.waitFor(() => expect(newTab.socket.status).toBe('open'));
});
