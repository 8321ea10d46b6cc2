import { type BadgeCelebration, BadgesScreen } from '@/features/badges/BadgesScreen.tsx';
import { queueEvent } from '@/features/matching/celebrationQueue.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';

/** Queues the celebration of a badge. The server knows which were closed, so the device claims none. */
function celebrate(
  db: HeartwardDb,
  { id, picture, title, text, isCurrent, onClose }: BadgeCelebration,
): void {
  queueEvent(db, {
    id,
    isRepeatable: true,
    load: async () =>
      (await isCurrent())
        ? { id, type: 'badge', name: title, badge: { picture, title, text }, isCurrent, onClose }
        : undefined,
  });
}

/** /badges */
export default function BadgesRoute() {
  const db = useDb();
  return <BadgesScreen celebrate={(celebration) => celebrate(db, celebration)} />;
}
