/** Test fixtures: candidates, and a fake server that offers them. */
import { vi } from 'vitest';
import type { Candidate } from '@/api/types.ts';

export const person = (id: string): Candidate => ({
  id,
  firstName: id,
  fullName: `${id} Moss`,
  age: 31,
  city: 'Portland',
  state: 'OR',
  visit: null,
  bio: '',
  loveReflection: '',
  intentionTags: [],
  occupation: '',
  photos: [],
  profileImageUrl: null,
  isVerified: false,
  isPremium: false,
  activeToday: false,
  isNew: false,
  pronouns: [],
  compatibility: {
    overall: 80,
    intentionMatch: 80,
    lifestyleMatch: 80,
    locationMatch: 80,
    ageCompatibility: 80,
    distanceBand: null,
    breakdown: {
      intentions: { score: 80, details: [] },
      lifestyle: { score: 80, details: [] },
      location: { score: 80, details: [] },
      age: { score: 80, details: [] },
    },
  },
});

type Page = { ids: string[]; next?: string; remaining?: string; newPeopleAt?: string };

/** Fakes a server with pages by cursor ('' is the first) or an error status; other requests fail as if offline. */
export function serve(pages: Record<string, Page | number>, beforeResponse?: () => Promise<unknown>) {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const url = new URL(request instanceof Request ? request.url : request, 'http://localhost');
    const page = pages[url.searchParams.get('cursor') ?? ''];
    const isFeed = ['/api/matches/for-you', '/api/discover'].includes(url.pathname);
    if (!isFeed || !page) throw new TypeError('no network');
    await beforeResponse?.();
    if (typeof page === 'number') return new Response('{}', { status: page });
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (page.remaining) headers.set('X-Remaining', page.remaining);
    if (page.newPeopleAt) headers.set('X-New-People-At', page.newPeopleAt);
    if (page.next) headers.set('Link', `<${url.pathname}?cursor=${page.next}>; rel="next"`);
    return new Response(JSON.stringify(page.ids.map(person)), { headers });
  });
}
