/** Hands shared pictures from the picker to the conversation's tray, in memory. */
import { type InSession, part } from '@/base/pageSession.ts';

const sharedOf = part(() => ({ stored: null as { conversationId: string; pictures: File[] } | null }));

export function storeForTray(session: InSession, conversationId: string, pictures: File[]): void {
  sharedOf(session).stored = pictures.length > 0 ? { conversationId, pictures } : null;
}

/** Returns and removes the pictures for this conversation; null if there are none. */
export function popForTray(session: InSession, conversationId: string): File[] | null {
  const shared = sharedOf(session);
  if (shared.stored?.conversationId !== conversationId) return null;
  const { pictures } = shared.stored;
  shared.stored = null;
  return pictures;
}
