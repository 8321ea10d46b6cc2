import { useQuery } from '@tanstack/react-query';
import { api, unwrapPage } from '@/api/client.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, ButtonLink } from '@/ui';
import { formatSince } from './month.ts';

const COUNT = 3;

/** The newest couples of the Legacy Wall who left words, for the landing page. Nothing while there are none. */
export default function Stories() {
  const { data } = useQuery({
    queryKey: ['landing-stories'],
    queryFn: () => unwrapPage(api.GET('/api/legacy-wall', { params: { query: { limit: 10 } } })),
  });
  const entries = (data?.items ?? []).filter(({ legacyMessage }) => legacyMessage).slice(0, COUNT);
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="stories" className="mx-auto max-w-[1152px] px-safe pb-16">
      <h2 className="font-display font-semibold text-2xl" id="stories">
        They left together
      </h2>
      <ul className="mt-8 grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
        {entries.map(({ id, firstNames, legacyMessage, graduatedAt, pictures, isSample }) => (
          <li className="card p-6" key={id}>
            <figure className="flex h-full flex-col gap-4">
              <blockquote className="wrap-anywhere line-clamp-6 flex-1" dir="auto">
                {legacyMessage}
              </blockquote>
              <figcaption className="flex items-center gap-3">
                {pictures?.[0] && (
                  <Avatar
                    user={{
                      firstName: firstNames?.[0],
                      profileImageUrl: pictures[0].thumbUrl,
                      placeholder: pictures[0].placeholder,
                    }}
                  />
                )}
                <span className="min-w-0">
                  <span className="block font-semibold">
                    <bdi>{firstNames?.[0]}</bdi> &amp; <bdi>{firstNames?.[1]}</bdi>
                  </span>
                  <span className="block text-muted text-sm">
                    Graduated {formatSince(graduatedAt)} ago
                    {isSample && ' · Sample'}
                  </span>
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      <ButtonLink className="mt-8" to={paths.legacyWall} variant="secondary">
        See the Legacy Wall
      </ButtonLink>
    </section>
  );
}
