import 'fake-indexeddb/auto';
import { act, useEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { storageKeys } from '@/base/storage.ts';
import { useDb } from '@/offline/store/cached.ts';
import { CONVERSATION, createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { startLossWarning } from './startLossWarning.ts';

/** Returns whether the browser asks before the page is left. */
const asksBeforeLeaving = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

function Screen() {
  const db = useDb();
  useEffect(() => startLossWarning(db), [db]);
  return null;
}

it('asks before a draft is lost, also when an error has replaced the screen, until the session stops', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const db = await freshDb();
  await db.drafts.put({ conversationId: CONVERSATION, content: 'Hello', updatedAt: 0 });
  localStorage.setItem(storageKeys.keepsNothing, '1');
  const root = createMemberRoot(document.createElement('div'));
  await act(async () => root.render(<Screen />));
  await vi.waitFor(() => expect(asksBeforeLeaving()).toBe(true));
  await act(async () => root.unmount());
  expect(asksBeforeLeaving()).toBe(true);
  await db.session.stop();
  expect(asksBeforeLeaving()).toBe(false);
  localStorage.clear();
  vi.unstubAllGlobals();
});
