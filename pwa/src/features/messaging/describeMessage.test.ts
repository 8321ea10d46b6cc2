import { expect, it } from 'vitest';
import { describeLastSeen, describeMessage } from './describeMessage.ts';

const plain = { messageType: 'text', content: '', durationMs: null, attachmentCount: 0, deleted: false };

it.each([
  [{ content: 'hello' }, 'hello'],
  [{ messageType: 'audio', durationMs: 12_300 }, 'Voice message, 0:12'],
  [{ messageType: 'audio' }, 'Voice message'],
  [{ messageType: 'video', durationMs: 8000 }, 'Video message, 0:08'],
  [{ messageType: 'audio', durationMs: 60_000 }, 'Voice message, 1:00'],
  [{ messageType: 'audio', durationMs: 300 }, 'Voice message, 0:01'],
  [{ messageType: 'audio', durationMs: 59_700 }, 'Voice message, 1:00'],
  [{ messageType: 'image', attachmentCount: 1 }, 'Picture'],
  [{ messageType: 'image', attachmentCount: 3 }, '3 pictures'],
  [{ messageType: 'image', attachmentCount: 1, content: 'the sea' }, 'Picture: the sea'],
  [{ messageType: 'date' }, 'Proposed a date'],
  [{ messageType: 'poll', content: 'Where?' }, 'This message needs a newer version of Heartward'],
  [{ messageType: 'audio', durationMs: 1000, deleted: true }, 'Message deleted'],
])('describes %j as %j', (change, words) => {
  expect(describeMessage({ ...plain, ...change })).toBe(words);
});

it.each([
  [3, 'Last seen a few minutes ago'],
  [25, 'Last seen 25 minutes ago'],
  [60, 'Last seen 1 hour ago'],
  [125, 'Last seen 2 hours ago'],
  [26 * 60, 'Last seen 1 day ago'],
  [9 * 24 * 60, 'Last seen more than a week ago'],
])('describes %i minutes as %j', (minutes, words) => {
  const now = Date.UTC(2026, 10, 21);
  expect(describeLastSeen(new Date(now - minutes * 60_000).toISOString(), now)).toBe(words);
});
