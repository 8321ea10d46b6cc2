import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEMO_ME, DemoChat, type DemoContact, demoContacts } from './demoChat.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const [maya] = demoContacts as [DemoContact];

function connected(): DemoChat {
  const chat = new DemoChat(() => undefined);
  chat.connect();
  vi.advanceTimersByTime(2000);
  return chat;
}

const statuses = (chat: DemoChat) => chat.state.messages.map(({ status }) => status);

test('it connects after two seconds', () => {
  const chat = new DemoChat(() => undefined);
  chat.connect();
  vi.advanceTimersByTime(1999);
  expect(chat.state.connection).toEqual({ state: 'connecting' });
  vi.advanceTimersByTime(1);
  expect(chat.state.connection).toEqual({ state: 'connected' });
});

test('a text is delivered after one second and read after three, then the contact writes an answer', () => {
  const chat = connected();
  expect(chat.send(maya, '  Hello  ')).toBe(true);
  expect(chat.state.messages[0]?.row).toMatchObject({ content: 'Hello', senderId: DEMO_ME });
  vi.advanceTimersByTime(999);
  expect(statuses(chat)).toEqual(['sent']);
  vi.advanceTimersByTime(1);
  expect(statuses(chat)).toEqual(['delivered']);
  vi.advanceTimersByTime(2000);
  expect(statuses(chat)).toEqual(['read']);
  expect(chat.state.typing).toEqual([maya.id]);
  vi.advanceTimersByTime(2000);
  expect(chat.state.typing).toEqual([]);
  expect(chat.state.messages[1]?.row.senderId).toBe(maya.id);
});

test('nothing is sent without words or without a connection', () => {
  const chat = new DemoChat(() => undefined);
  chat.connect();
  expect(chat.send(maya, 'Hello')).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(chat.send(maya, '  \n')).toBe(false);
  expect(chat.state.messages).toEqual([]);
});

test('a lost connection retries five times with doubled waits, and holds the ticks', () => {
  const chat = connected();
  chat.send(maya, 'Hello');
  chat.lose();
  for (const [attempt, wait] of [1000, 2000, 4000, 8000, 16_000].entries()) {
    expect(chat.state.connection).toEqual({ state: 'lost', attempt, gaveUp: false });
    vi.advanceTimersByTime(wait);
  }
  expect(chat.state.connection).toEqual({ state: 'lost', attempt: 5, gaveUp: true });
  expect(statuses(chat)).toEqual(['sent']);
  chat.connect();
  vi.advanceTimersByTime(2000);
  expect(chat.send(maya, 'Again')).toBe(true);
});

test('no timer runs after it is closed', () => {
  const chat = connected();
  chat.send(maya, 'Hello');
  chat.close();
  expect(vi.getTimerCount()).toBe(0);
});
