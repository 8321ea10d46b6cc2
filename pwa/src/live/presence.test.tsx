import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FrameSource } from './frameSource.ts';
import { followPresence, useIsOnline, useLastSeen } from './presence.ts';

type Handler = (frame: Record<string, unknown>) => void;
const handlers = new Map<string, Handler>();
let status: () => void = () => undefined;
const socket = {
  status: 'open',
  on: (type: string, handler: Handler) => handlers.set(type, handler),
  onStatus: (listener: () => void) => {
    status = listener;
  },
};
followPresence(socket as unknown as FrameSource);

let shown: { online: boolean; seen: string | null };
function Shown({ known }: { known: string | null }) {
  shown = { online: useIsOnline('ben', false), seen: useLastSeen('ben', known) };
  return null;
}

let root: Root;
const show = (known: string | null) => act(async () => root.render(<Shown known={known} />));
const told = (type: string, frame: Record<string, unknown>) =>
  act(async () => handlers.get(type)?.({ type, ...frame }));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  status();
  root = createRoot(document.createElement('div'));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

const noon = '2026-11-20T12:00:00Z';
const evening = '2026-11-20T18:00:00Z';

it('shows when a member was seen last by the latest event, and nothing where that is hidden', async () => {
  await told('online_users', { users: ['ben'] });
  await show(noon);
  expect(shown).toEqual({ online: true, seen: noon });
  await told('user_status_changed', { userId: 'ben', isOnline: false, lastSeen: evening });
  expect(shown).toEqual({ online: false, seen: evening });
  // One of the two hides it: the conversation no longer says it, also after an earlier event.
  await told('user_status_changed', { userId: 'ben', isOnline: false, lastSeen: null });
  await show(null);
  expect(shown).toEqual({ online: false, seen: null });
  await told('user_status_changed', { userId: 'ben', isOnline: true, lastSeen: null });
  await show(noon);
  expect(shown).toEqual({ online: true, seen: evening });
});
