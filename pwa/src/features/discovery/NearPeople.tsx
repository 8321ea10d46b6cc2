import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { useOnline } from '@/offline/device/online.ts';
import { paths } from '@/session/paths.ts';
import { ButtonLink, Switch, useAction } from '@/ui';

const NEAR_KEY = ['discovery', 'near'];

/** How many people are near the member's town, in a band, and the wish to be told once when there are 20 more. */
export function NearPeople() {
  const client = useQueryClient();
  const online = useOnline();
  const { data, error } = useQuery({
    queryKey: NEAR_KEY,
    queryFn: ({ signal }) => unwrap(api.GET('/api/discovery/near', { signal })),
  });

  const [wait, { isBusy }] = useAction(async (isWanted: boolean, byMail: boolean) => {
    if (isWanted) {
      client.setQueryData(NEAR_KEY, await unwrap(api.PUT('/api/discovery/near/wait', { body: { byMail } })));
    } else {
      await unwrap(api.DELETE('/api/discovery/near/wait'));
      if (data) client.setQueryData(NEAR_KEY, { ...data, waiting: false, byMail: false });
    }
  });

  if (error instanceof ApiError && error.status === 422) {
    return (
      <div className="mt-4">
        <p className="text-muted">Add your town, and we can say how many people are near you.</p>
        <ButtonLink to={paths.profile} variant="ghost">
          Add your town
        </ButtonLink>
      </div>
    );
  }
  if (!data) return null;
  return (
    <section aria-label="People near you" className="card mt-4 w-full p-4 text-start">
      <p className="font-semibold">{data.town}</p>
      <p className="text-muted">{data.text}</p>
      <div className="mt-2 flex flex-col">
        <Switch
          checked={data.waiting}
          disabled={!online || isBusy}
          hint="One notification, by push if it is on."
          label="Tell me when there are 20 more near me"
          onChange={(isWanted) => wait(isWanted, data.byMail)}
        />
        {data.waiting && (
          <Switch
            checked={data.byMail}
            disabled={!online || isBusy}
            label="Email me too, once"
            onChange={(byMail) => wait(true, byMail)}
          />
        )}
      </div>
    </section>
  );
}
