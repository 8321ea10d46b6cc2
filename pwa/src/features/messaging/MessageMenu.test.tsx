import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { MessageRow } from '@/offline/store/rows.ts';
import { createMemberRoot, message } from '@/offline/testkit.ts';
import { dismissToast, Toaster } from '@/ui/Toaster.tsx';
import { MessageMenu } from './MessageMenu.tsx';

const onClose = vi.fn();
const writeText = vi.fn<(text: string) => Promise<void>>();
let page: HTMLElement;
let open: (content: string, change?: Partial<MessageRow>) => Promise<void>;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
  for (const mock of [onClose, writeText]) mock.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  const handlers = { onClose, onDelete: vi.fn(), onReact: vi.fn(), onReply: vi.fn() };
  open = (content, change = {}) =>
    act(async () =>
      root.render(
        <>
          <MessageMenu
            {...handlers}
            canReply={false}
            author="Ada"
            mine={false}
            row={{ ...message(1, { content }), order: 1, state: 'stored', ...change }}
          />
          <Toaster />
        </>,
      ),
    );
  return async () => {
    await act(async () => {
      dismissToast();
      root.unmount();
    });
    page.remove();
    vi.unstubAllGlobals();
  };
});

const toast = () => page.querySelector('[popover]')?.textContent;
const copy = () => [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy');

it('copies the whole text and confirms it', async () => {
  writeText.mockResolvedValue();
  await open('Sunday at the lighthouse?\nBring the kite.');
  await act(async () => copy()?.click());
  expect(writeText).toHaveBeenCalledExactlyOnceWith('Sunday at the lighthouse?\nBring the kite.');
  expect(onClose).toHaveBeenCalledOnce();
  expect(toast()).toBe('Copied');
});

it('reports that copying failed when the browser denies it', async () => {
  writeText.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await open('Sunday?');
  await act(async () => copy()?.click());
  expect(toast()).toBe('Copy failedPlease copy manually.');
});

it('offers no Copy for a message without text', async () => {
  await open('');
  expect(copy()).toBeUndefined();
});

it('names a picture, and offers neither to open, save nor share it', async () => {
  const file = { id: 'a', kind: 'image', url: '/files/a/full.webp', thumbUrl: '/files/a/thumb.webp' };
  await open('', {
    messageType: 'image',
    attachments: [
      { ...file, placeholder: 'data:image/webp;base64,AAAA' },
    ] as unknown as MessageRow['attachments'],
  });
  expect(page.textContent).toContain('Picture');
  expect(page.querySelectorAll('img, a')).toHaveLength(0);
  expect(page.innerHTML).not.toMatch(/url\(|\/files\//);
  expect([...page.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContainEqual(
    expect.stringMatching(/open|look|save|share|download/i),
  );
});
