/** Hands shared pictures from the picker to the conversation's tray, in memory. */
let stored: { conversationId: string; pictures: File[] } | null = null;

export function storeForTray(conversationId: string, pictures: File[]): void {
  stored = pictures.length > 0 ? { conversationId, pictures } : null;
}

/** Returns and removes the pictures for this conversation; null if there are none. */
export function popForTray(conversationId: string): File[] | null {
  if (stored?.conversationId !== conversationId) return null;
  const { pictures } = stored;
  stored = null;
  return pictures;
}
