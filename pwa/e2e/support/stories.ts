import type { Person } from './phones.ts';
import type { Server } from './server.ts';

/** Inserts a published story of a member directly into the database. Returns its id. */
export async function publish(server: Server, { id }: Person): Promise<string> {
  const [row] = await server.query<{ id: string }>(
    `INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
     VALUES ($1, gen_random_uuid(), 'Morning light', 'A walk that became a habit.', $2, 'experience', ARRAY['experience', 'sundays'],
       'published', now(), now())
     RETURNING id`,
    [id, 'It was raining. We walked anyway, and then we did it again on every Sunday of that year.'],
  );
  if (!row) throw new Error('the story was not inserted');
  return row.id;
}
