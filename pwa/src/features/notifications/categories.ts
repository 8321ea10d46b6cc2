import {
  BadgeCheck,
  GraduationCap,
  Heart,
  type LucideIcon,
  Mail,
  MessageCircle,
  Newspaper,
  Sparkles,
} from 'lucide-react';
import type { PushCategory } from '@/api/types.ts';

type CategoryInfo = { category: PushCategory; label: string; hint: string; icon: LucideIcon };

/** The categories of notifications, in display order. */
export const categories: CategoryInfo[] = [
  { category: 'messages', label: 'Messages', hint: 'Somebody wrote to you.', icon: MessageCircle },
  { category: 'matches', label: 'Matches', hint: 'You and somebody like each other.', icon: Sparkles },
  { category: 'likes', label: 'Likes', hint: 'Gathered, so that it stays quiet.', icon: Heart },
  { category: 'community', label: 'Community', hint: 'Answers to your stories.', icon: Newspaper },
  { category: 'graduation', label: 'Graduation', hint: 'When two leave together.', icon: GraduationCap },
  { category: 'badges', label: 'Badges', hint: 'You have earned one.', icon: BadgeCheck },
  { category: 'digest', label: 'Weekly digest', hint: 'Your week in short.', icon: Mail },
];

export const allCategories = categories.map(({ category }) => category);
