import type { BrowserContext, WebSocket } from '@playwright/test';
import { composer, join, match, openConversation, sendMessage, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { bubble } from './support/thread.ts';

/** Returns the open sockets of a phone's tabs. Call it before the first page. */
function trackSockets(phone: BrowserContext): Set<WebSocket> {
  const open = new Set<WebSocket>();
  phone.on('page', (page) => {
    page.on('websocket', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    page.on('close', () => {
      for (const socket of open) if (socket.isClosed()) open.delete(socket);
    });
  });
  return open;
}

test('two tabs of a member share one connection, and the other takes over when a tab is closed', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Twotabs');
  const ben = await join(phoneB, server, 'Ben Twotabs');
  await match(phoneA, ann, phoneB, ben);
  const sockets = trackSockets(phoneA);
  const first = await openConversation(phoneA, ben);
  const second = await openConversation(phoneA, ben);
  const tabs = [first, second];
  for (const tab of tabs) await expect(tab.getByText('Connected')).toBeVisible();
  await expect.poll(() => sockets.size).toBe(1);

  const peer = await openConversation(phoneB, ann);
  await sendMessage(peer, 'Hello, both of you');
  for (const tab of tabs) await expect(bubble(tab, 'Hello, both of you')).toBeVisible();
  await composer(peer).pressSequentially('And');
  for (const tab of tabs) await expect(tab.getByText('Ben is typing')).toBeVisible();
  // Writing works in the tab that holds the connection and in the other.
  await sendMessage(first, 'From the first');
  await sendMessage(second, 'From the second');
  for (const tab of [...tabs, peer]) {
    await expect(bubble(tab, 'From the first')).toBeVisible();
    await expect(bubble(tab, 'From the second')).toBeVisible();
  }
  for (const tab of tabs) await expect(ticks(tab, 'read')).toHaveCount(2);
  expect(sockets.size).toBe(1);

  await second.close();
  await sendMessage(peer, 'Still there?');
  await expect(bubble(first, 'Still there?')).toBeVisible();
  await expect(first.getByText('Connected')).toBeVisible();
  await sendMessage(first, 'Yes');
  await expect(bubble(peer, 'Yes')).toBeVisible();
});
