import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { useMember } from '@/session/session.ts';
import { BadgeArt } from './BadgeArt.tsx';

/** The badges that others see on a member's profile; nothing without any, and while they cannot be loaded. */
export default function ShownBadges({ memberId }: { memberId: string }) {
  const { data } = useQuery({
    // The member's own badges change with the switch that hides them.
    queryKey: ['shown-badges', memberId, useMember().hideBadges],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/users/{id}/badges', { params: { path: { id: memberId } }, signal })),
    staleTime: 60_000,
  });
  if (!data?.length) return null;
  return (
    <section aria-label="Badges" className="card p-5">
      <h2 className="font-display font-semibold text-lg">Badges</h2>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-3">
        {data.map((badge) => (
          <li className="flex items-center gap-2" key={badge.name} title={badge.description}>
            <BadgeArt badge={badge} size="sm" />
            <span className="font-medium text-sm">{badge.name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
