import { lazyWithRetry } from '@/ui';

const load = () => import('./ConversationPane.tsx');

/** An open conversation, in a chunk of its own, because the list of conversations does not need it. */
export const LazyConversation = lazyWithRetry(load);

/** Loads the chunk of an open conversation. Resolves also if it cannot be loaded now. */
export async function preloadConversation(): Promise<void> {
  const isAvailable = await load().then(
    () => true,
    () => false,
  );
  if (isAvailable) await LazyConversation.preload();
}
