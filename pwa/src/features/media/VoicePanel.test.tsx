import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { CONVERSATION, createMemberRoot, freshDb, PEER } from '@/offline/testkit.ts';
import VoicePanel from './VoicePanel.tsx';

it('explains a denied microphone', async () => {
  await freshDb();
  const getUserMedia = vi.fn(() => Promise.reject(new DOMException('', 'NotAllowedError')));
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: { getUserMedia } });
  vi.stubGlobal('MediaRecorder', { isTypeSupported: () => true });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(<VoicePanel onClose={vi.fn()} to={{ id: CONVERSATION, userId: PEER }} />);
  await vi.waitFor(() =>
    expect(page.querySelector('[role=alert]')?.textContent).toBe(
      'Microphone Access RequiredPlease allow microphone access to record voice messages.',
    ),
  );
  expect(getUserMedia).toHaveBeenCalledOnce();
  root.unmount();
  page.remove();
  vi.unstubAllGlobals();
});
