import {
  Award,
  CalendarCheck,
  Crown,
  GraduationCap,
  Heart,
  HeartHandshake,
  HeartPulse,
  Hourglass,
  Images,
  type LucideIcon,
  Megaphone,
  MessageCircleHeart,
  MessagesSquare,
  Mic,
  Rocket,
  UserPlus,
  UserRoundCheck,
  Users,
} from 'lucide-react';

const icons: Record<string, LucideIcon> = {
  first_like: Heart,
  first_match: HeartHandshake,
  first_message: MessageCircleHeart,
  profile_complete: UserRoundCheck,
  active_user: CalendarCheck,
  social_butterfly: Users,
  heart_throb: HeartPulse,
  conversation_starter: MessagesSquare,
  love_guru: GraduationCap,
  community_champion: Megaphone,
  vibe_champion: Hourglass,
  referral_rockstar: Rocket,
  matchmaker: Crown,
  good_company: UserPlus,
  picture_story: Images,
  true_voice: Mic,
};

/**
 * The icon of a badge. A module of its own that is always loaded lazily: icons that two screens import are in the chunk
 * of the first visit.
 */
export default function BadgeIcon({ iconKey, className }: { iconKey: string; className: string }) {
  const Icon = icons[iconKey] ?? Award;
  return <Icon className={className} />;
}
