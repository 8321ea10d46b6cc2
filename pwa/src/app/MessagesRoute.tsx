import { useParams } from 'react-router';
import { useSeenByOpening } from '@/features/matching/matches.ts';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';

/** The conversations; whoever opens one with a new match has seen that match. */
export default function MessagesRoute() {
  const { id } = useParams();
  useSeenByOpening(id);
  return <MessagesScreen />;
}
