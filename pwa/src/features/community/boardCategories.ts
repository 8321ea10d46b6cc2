import type { PostCategory, PostStatus } from '@/api/types.ts';
import type { Tone } from '@/ui';

/** The tabs of the board; 'all' is every category. */
export const boardTabs = [
  { value: 'all', label: 'All' },
  { value: 'blog', label: 'Blog' },
  { value: 'community-story', label: 'Stories' },
  { value: 'advice', label: 'Advice' },
  { value: 'experience', label: 'Experience' },
] as const satisfies { value: PostCategory | 'all'; label: string }[];

export type BoardTab = (typeof boardTabs)[number]['value'];

export const isBoardTab = (value: string | null): value is BoardTab =>
  boardTabs.some((tab) => tab.value === value);

export const categoryLabels: Record<PostCategory, string> = {
  blog: 'Blog',
  'community-story': 'Community Story',
  advice: 'Advice',
  experience: 'Experience',
};

export const categoryTones: Record<PostCategory, Tone> = {
  blog: 'marigold',
  'community-story': 'ember',
  advice: 'sage',
  experience: 'plum',
};

export const statusLabels: Record<PostStatus, string> = {
  pending: 'In review',
  published: 'Published',
  rejected: 'Not published',
};

export const statusTones: Record<PostStatus, Tone> = {
  pending: 'marigold',
  published: 'sage',
  rejected: 'danger',
};
