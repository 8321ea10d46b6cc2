import { type BadgeCelebration, BadgesScreen } from '@/features/badges/BadgesScreen.tsx';
import { queueEvent } from '@/features/matching/celebrationQueue.ts';

/** Queues the celebration of a badge. The server knows which were closed, so the device claims none. */
function celebrate({ id, picture, title, text, isCurrent, onClose }: BadgeCelebration): void {
  queueEvent({
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
  return <BadgesScreen celebrate={celebrate} />;
}
