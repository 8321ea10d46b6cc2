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

type CategoryInfo = {
  category: PushCategory;
  label: string;
  hint: string;
  icon: LucideIcon;
  /** Whether notifications of this category are sent today. */
  isSent: boolean;
};

/** The categories of notifications, in display order. */
export const categories: CategoryInfo[] = [
  {
    category: 'messages',
    label: 'Messages',
    hint: 'Someone writes to you.',
    icon: MessageCircle,
    isSent: true,
  },
  {
    category: 'matches',
    label: 'Matches',
    hint: 'You and someone like each other.',
    icon: Sparkles,
    isSent: true,
  },
  {
    category: 'likes',
    label: 'Likes',
    hint: 'Grouped, so it stays quiet.',
    icon: Heart,
    isSent: true,
  },
  {
    category: 'community',
    label: 'Community',
    hint: 'Replies to your stories.',
    icon: Newspaper,
    isSent: false,
  },
  {
    category: 'graduation',
    label: 'Graduation',
    hint: 'A couple graduates.',
    icon: GraduationCap,
    isSent: false,
  },
  {
    category: 'badges',
    label: 'Badges',
    hint: 'You have earned one.',
    icon: BadgeCheck,
    isSent: false,
  },
  {
    category: 'digest',
    label: 'Weekly digest',
    hint: 'Your week in short.',
    icon: Mail,
    isSent: false,
  },
];

export const allCategories = categories.map(({ category }) => category);
