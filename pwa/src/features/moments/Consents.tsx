import type { MomentConsent } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Avatar, Button, useAction } from '@/ui';
import { answerRequest } from './moments.ts';

/** The requests of matches to name the member in a picture, and those that the member has allowed. */
export function Consents({ consents }: { consents: MomentConsent[] }) {
  if (consents.length === 0) return null;
  return (
    <ul aria-label="Requests to name you" className="flex flex-col gap-3">
      {consents.map((consent) => (
        <li key={consent.momentId}>
          <ConsentCard consent={consent} />
        </li>
      ))}
    </ul>
  );
}

function ConsentCard({ consent }: { consent: MomentConsent }) {
  const db = useDb();
  const { from, given } = consent;
  const [reply, { isBusy }] = useAction((allow: boolean) => answerRequest(db, consent, allow));
  return (
    <section
      aria-label={given ? `${from.firstName} may name you` : `${from.firstName} asks`}
      className="card flex flex-wrap items-center gap-4 p-4"
    >
      <Avatar user={from} />
      <p className="min-w-0 flex-[1_1_14rem]">
        {given ? (
          <>
            <bdi className="font-semibold">{from.firstName}</bdi> may share your match with your first name.
          </>
        ) : (
          <>
            <bdi className="font-semibold">{from.firstName}</bdi> would like to share your match with your
            first name, and no photo. What was shared cannot be taken back.
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button disabled={isBusy} onClick={() => reply(false)} size="sm" variant="secondary">
          {given ? 'Take it back' : 'Not now'}
        </Button>
        {!given && (
          <Button busy={isBusy} onClick={() => reply(true)} size="sm">
            Allow
          </Button>
        )}
      </div>
    </section>
  );
}
