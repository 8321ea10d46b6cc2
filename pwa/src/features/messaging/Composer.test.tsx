import 'fake-indexeddb/auto';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DraftRow, HeartwardDb } from '@/offline/store/db.ts';
import {
  CONVERSATION,
  createMemberRoot,
  freshDb,
  ME,
  message,
  openDb,
  PEER,
  summary,
} from '@/offline/testkit.ts';
import { Bubble } from './Bubble.tsx';
import { Composer } from './Composer.tsx';

let db: HeartwardDb;
let page: HTMLElement;
let root: Root;
const conversation = { ...summary(), userId: PEER, sortAt: '' };

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  db = await freshDb();
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const open = () =>
  act(async () =>
    root.render(
      <Composer conversation={conversation} onSent={vi.fn()} replyTo={null} setReplyTo={vi.fn()} />,
    ),
  );
const field = () => page.querySelector('textarea') as HTMLTextAreaElement;

function type(text: string): void {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field(), text);
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

const press = (init: KeyboardEventInit & { keyCode?: number }) =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
    Object.defineProperty(event, 'keyCode', { value: init.keyCode ?? 13 });
    field().dispatchEvent(event);
  });

describe('Enter that accepts a candidate of an input method', () => {
  beforeEach(async () => {
    await open();
    await act(async () => {
      field().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      type('にほん');
    });
  });

  it('does not send in Safari, which ends the composition before the key', async () => {
    await act(
      async () =>
        void field().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: 'にほん' })),
    );
    await press({ key: 'Enter', isComposing: false, keyCode: 229 });
    expect(field().value).toBe('にほん');
    expect(await db.outbox.count()).toBe(0);
    await press({ key: 'Enter' });
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(1));
  });

  it('does not send in other browsers, which end the composition after the key', async () => {
    await press({ key: 'Enter', isComposing: true, keyCode: 229 });
    expect(await db.outbox.count()).toBe(0);
  });
});

it('keeps text typed before the stored draft was read', async () => {
  await db.drafts.put({ conversationId: CONVERSATION, content: 'an old draft', updatedAt: 1 });
  let resolveDraft: (draft: DraftRow) => void = () => undefined;
  const slow = new Promise<DraftRow>((resolve) => {
    resolveDraft = resolve;
  });
  vi.spyOn(openDb(ME).drafts, 'get').mockReturnValue(slow as never);
  await open();
  await act(async () => type('new words'));
  // The text is saved, so no unsaved text keeps the draft from being shown.
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  await vi.waitFor(async () => expect((await db.drafts.toArray())[0]?.content).toBe('new words'));
  await act(async () =>
    resolveDraft({ conversationId: CONVERSATION, content: 'an old draft', updatedAt: 1 }),
  );
  expect(field().value).toBe('new words');
});

it('reports a draft that a full device cannot store, and stores it once there is space', async () => {
  const full = new DOMException('full', 'QuotaExceededError');
  const put = vi.spyOn(db.drafts, 'put').mockRejectedValue(full);
  await open();
  await act(async () => type('hello'));
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  await act(() => vi.waitFor(() => expect(put).toHaveBeenCalled()));
  await vi.waitFor(() =>
    expect(page.querySelector('[role=alert]')?.textContent).toContain('could not store your draft'),
  );
  put.mockRestore();
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  await vi.waitFor(() => expect(page.querySelector('[role=alert]')).toBeNull());
  expect((await db.drafts.get(CONVERSATION))?.content).toBe('hello');
});

it('shows a message of a type that this build does not know as a neutral bubble', async () => {
  const row = {
    ...message(3),
    messageType: 'poll' as 'text',
    content: '{"q":1}',
    order: 3,
    state: 'stored' as const,
  };
  const actions = { openMenu: vi.fn(), reply: vi.fn(), react: vi.fn(), like: vi.fn(), goTo: vi.fn() };
  await act(async () =>
    root.render(
      <Bubble
        actions={actions}
        author="Ada"
        conversation={conversation}
        first
        last
        highlighted={false}
        mine={false}
        row={row}
        tick={null}
      />,
    ),
  );
  expect(page.querySelector('[data-testid=bubble-text]')?.textContent).toBe(
    'This message needs a newer version of Heartward',
  );
});

it('a draft that is longer than a message is shown whole, and sent once it is shortened', async () => {
  await db.drafts.put({ conversationId: CONVERSATION, content: 'x'.repeat(4012), updatedAt: 0 });
  await open();
  await vi.waitFor(() => expect(field().value).toHaveLength(4012));
  expect(page.querySelector('[role=status]')?.textContent).toMatch(/^12 characters too many/);
  await press({ key: 'Enter' });
  expect(field().value).toHaveLength(4012);
  expect(await db.outbox.count()).toBe(0);
  await act(async () => type('x'.repeat(4000)));
  await press({ key: 'Enter' });
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(1));
});
