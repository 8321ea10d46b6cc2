import {
  BadgeCheck,
  GraduationCap,
  Heart,
  HeartPulse,
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
};

/** The categories of notifications, in display order. */
export const categories: CategoryInfo[] = [
  {
    category: 'messages',
    label: 'Messages',
    hint: 'Someone writes to you or asks to chat, and dates that you plan together.',
    icon: MessageCircle,
  },
  {
    category: 'matches',
    label: 'Matches',
    hint: 'You and someone like each other, or a match asks to show you in a picture.',
    icon: Sparkles,
  },
  {
    category: 'likes',
    label: 'Likes',
    hint: 'Grouped, so it stays quiet.',
    icon: Heart,
  },
  {
    category: 'community',
    label: 'Community',
    hint: 'Your story is reviewed, someone comments on it, or replies to you.',
    icon: Newspaper,
  },
  {
    category: 'graduation',
    label: 'Graduation',
    hint: 'What your partner asks or answers, and what moderators decide.',
    icon: GraduationCap,
  },
  {
    category: 'badges',
    label: 'Badges and friends',
    hint: 'You earned a badge, or a friend whom you invited joined.',
    icon: BadgeCheck,
  },
  {
    category: 'pulse',
    label: 'Love Pulse',
    hint: 'A daily reminder while today has no entry.',
    icon: HeartPulse,
  },
  {
    category: 'digest',
    label: 'Weekly digest',
    hint: 'Your week in short.',
    icon: Mail,
  },
];

export const allCategories = categories.map(({ category }) => category);
