import { useParams } from 'react-router';
import { useSeenByOpening } from '@/features/matching/matches.ts';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';
import type { ConversationSlots } from '@/features/messaging/slots.ts';

/** What other features show within a conversation; kept outside, so that nothing is drawn anew for it. */
const slots: ConversationSlots = {};

/** The conversations; whoever opens one with a new match has seen that match. */
export default function MessagesRoute() {
  const { id } = useParams();
  useSeenByOpening(id);
  return <MessagesScreen slots={slots} />;
}
