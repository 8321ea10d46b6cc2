import ProfileScreen from '@/features/members/ProfileScreen.tsx';
import { NotificationsCard } from '@/features/notifications/NotificationsCard.tsx';

export default function ProfileRoute() {
  return <ProfileScreen notifications={<NotificationsCard />} />;
}
