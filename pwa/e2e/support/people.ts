import { randomUUID } from 'node:crypto';
import type { Person } from './phones.ts';
import type { Server } from './server.ts';

/** Hides all members from Discover and decks, so that the test begins with an empty deck. */
export async function hideAllMembers(server: Server): Promise<void> {
  await server.query('UPDATE users SET is_approved = false');
}

/** Inserts members without a phone directly into the database. */
export async function addPeople(server: Server, ...names: string[]): Promise<Person[]> {
  const people = names.map((fullName) => {
    const id = randomUUID();
    return { id, fullName, email: `${id}@example.test` };
  });
  await server.query(
    `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, intention_tags, bio, referral_code)
     SELECT id, email, name, split_part(name, ' ', 1), now() - interval '31 years 2 months', 'Portland', 'OR',
       ARRAY['Long-term'], 'I am ' || name || '.', left(replace(id::text, '-', ''), 16)
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS person (id, email, name)`,
    [people.map(({ id }) => id), people.map(({ email }) => email), names],
  );
  return people;
}

/** Returns a member's likes and passes in order, as "like Bea" and "pass Cleo". */
export async function decisionsOf(server: Server, member: Person): Promise<string[]> {
  const rows = await server.query<{ decision: string }>(
    `SELECT decisions.decision || ' ' || u.first_name AS decision
     FROM (SELECT to_user_id, like_type AS decision, created_at FROM user_likes WHERE from_user_id = $1
           UNION ALL SELECT to_user_id, 'pass', created_at FROM user_passes WHERE from_user_id = $1) decisions
     JOIN users u ON u.id = decisions.to_user_id ORDER BY decisions.created_at`,
    [member.id],
  );
  return rows.map((row) => row.decision);
}
