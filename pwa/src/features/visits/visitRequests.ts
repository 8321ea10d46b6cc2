import { api, unwrap } from '@/api/client.ts';
import type { Me, Place } from '@/api/types.ts';

export function startVisit({ city, state }: Place): Promise<Me> {
  return unwrap(api.PUT('/api/users/me/visit', { body: { city, state } }));
}

export function endVisit(): Promise<Me> {
  return unwrap(api.DELETE('/api/users/me/visit'));
}
