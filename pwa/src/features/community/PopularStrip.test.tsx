import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { PostCard } from '@/api/types.ts';
import { PopularStrip } from './PopularStrip.tsx';

const post = (id: string): PostCard => ({
  id,
  title: `Title of ${id}`,
  excerpt: 'A summary',
  category: 'advice',
  isAdminPost: false,
  tags: ['advice'],
  featuredImage: null,
  publishedAt: '2026-11-20T12:00:00Z',
  author: { id: null, fullName: 'Ada', profileImageUrl: null },
  likeCount: 1,
  commentCount: 0,
  likedByMe: false,
  hasMore: false,
});

const draw = (...ids: string[]): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <PopularStrip posts={ids.map(post)} />
    </MemoryRouter>,
  );

it('is shown from three posts on, in their order', () => {
  expect(draw('a', 'b')).toBe('');
  expect(draw('b', 'a', 'c').match(/Title of \w/g)).toEqual(['Title of b', 'Title of a', 'Title of c']);
});
