/** The conversation of a notification, and its message. */
type NotifiedMessage = { id: string; seq: number };

/**
 * Closes the notifications on the screen whose messages were read. Call it neither while a notification is being shown nor
 * when one may be: Chromium forgets a notification that is asked for at that time, and a tap on it does nothing.
 */
export async function closeNotifications(
  registration: ServiceWorkerRegistration,
  isRead: (message: NotifiedMessage) => boolean,
): Promise<void> {
  for (const notification of (await registration.getNotifications?.()) ?? []) {
    const message = (notification.data as { conversation?: NotifiedMessage } | null)?.conversation;
    if (message && isRead(message)) notification.close();
  }
}
