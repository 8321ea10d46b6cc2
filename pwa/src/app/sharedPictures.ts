/** Shared pictures on their way from the choice of a conversation into its tray: taken once, kept nowhere. */
let waiting: { conversationId: string; pictures: File[] } | null = null;

export function handOver(conversationId: string, pictures: File[]): void {
  waiting = pictures.length > 0 ? { conversationId, pictures } : null;
}

/** The pictures for this conversation; null when there are none, or they were taken. */
export function takeHandedOver(conversationId: string): File[] | null {
  if (waiting?.conversationId !== conversationId) return null;
  const { pictures } = waiting;
  waiting = null;
  return pictures;
}
