import { act } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { movers } from '@/ui/motion.ts';
import { CelebrationOverlay } from './CelebrationOverlay.tsx';
import type { Celebration, CelebrationType } from './celebration.ts';

let root: Root;
let page: HTMLElement;
const onDone = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  onDone.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (type: CelebrationType, more: Partial<Celebration> = {}) =>
  act(async () =>
    root.render(
      <CelebrationOverlay celebration={{ id: 'm', type, name: 'Maya', ...more }} onDone={onDone} />,
    ),
  );
const advance = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it.each([
  ['mutual_like', "It's a Match!", 'You and Maya like each other', 3000],
  ['super_like', 'Super Spark!', 'Maya super liked you', 3500],
  ['message_spark', 'Message Spark!', 'Your conversation is heating up', 2500],
  ['voice_connection', 'Voice Connection!', 'Your voices harmonized beautifully', 3000],
] as const)('%s shows its text for its duration and then calls onDone', async (type, title, text, ms) => {
  await show(type);
  const dialog = page.querySelector('dialog');
  expect(dialog?.querySelector('h2')?.textContent).toBe(title);
  expect(dialog?.textContent).toContain(text);
  await advance(ms - 1);
  expect(onDone).not.toHaveBeenCalled();
  await advance(1);
  expect(onDone).toHaveBeenCalledOnce();
});

it('a tap anywhere and Escape end it', async () => {
  await show('mutual_like');
  const dialog = page.querySelector('dialog');
  await act(async () => dialog?.click());
  expect(onDone).toHaveBeenCalledTimes(1);
  await act(async () => dialog?.dispatchEvent(new Event('cancel', { cancelable: true })));
  expect(onDone).toHaveBeenCalledTimes(2);
});

it('shows the comment of the like and what it is about', async () => {
  await show('mutual_like', { note: { comment: 'Mine too!', about: 'your answer to “Sunday”' } });
  expect(page.querySelector('blockquote')?.textContent).toBe('“Mine too!”');
  expect(page.querySelector('figcaption')?.textContent).toBe('Maya, about your answer to “Sunday”');
});

it('typing in the field for a first message stops the timer, and a tap on it does not end the celebration', async () => {
  const messageSent = vi.fn();
  await act(async () =>
    root.render(
      <CelebrationOverlay
        celebration={{
          id: 'm',
          type: 'mutual_like',
          name: 'Maya',
          messageTarget: { conversationId: 'c', userId: 'u' },
        }}
        firstMessage={({ onWriting, onSent, conversationId }) => (
          <>
            <input aria-label={conversationId} onFocus={onWriting} />
            <button id="send" onClick={onSent} type="button" />
          </>
        )}
        onDone={onDone}
        onMessageSent={messageSent}
      />,
    ),
  );
  const field = page.querySelector<HTMLInputElement>('input[aria-label="c"]');
  await act(async () => field?.focus());
  await act(async () => field?.click());
  await advance(60_000);
  expect(onDone, 'neither the tap on the field nor the time ends it').not.toHaveBeenCalled();
  await act(async () => page.querySelector<HTMLElement>('#send')?.click());
  expect(messageSent).toHaveBeenCalledOnce();
  expect(onDone).not.toHaveBeenCalled();
});

const user = { id: 'u', firstName: 'Maya', photoUrl: null } as unknown as Celebration['user'];
const words = () => page.querySelector<HTMLElement>('.hw-celebration-words');

it('the library moves words and faces of a celebration, which are visible from the start', async () => {
  await movers.preload();
  await show('mutual_like', { user });
  expect(words()?.style.transform, 'the words are below their place').toContain('translate(0px, 36px)');
  expect(words()?.style.opacity).toBe('');
  expect(words()?.innerHTML, 'the face is beside its place').toContain('translate(72px, 0px)');
});

it('a celebration with the picture of a badge instead of faces is shown too', async () => {
  await movers.preload();
  await show('mutual_like', { badge: { title: 'First words', text: 'Well done', picture: <i /> } });
  expect(words()?.style.transform).toContain('translate(0px, 36px)');
  expect(words()?.textContent).toContain('First words');
});

it('with reduced motion nothing of a celebration is moved', async () => {
  await movers.preload();
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  await show('mutual_like', { user });
  expect(words()?.dataset.moved).toBeUndefined();
  expect(words()?.outerHTML).not.toContain('transform');
});
