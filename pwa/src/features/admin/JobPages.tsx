import { useState } from 'react';
import { Button, useAction } from '@/ui';
import { openJobPages } from './adminRequests.ts';
import { useWithProof } from './proof.ts';

type Link = Awaited<ReturnType<typeof openJobPages>>;

/** Leads to the pages of the background jobs, which are at an address of their own. */
export function JobPages() {
  const withProof = useWithProof();
  const [link, setLink] = useState<Link>();
  const [request, { isBusy, error }] = useAction(() => withProof(async () => setLink(await openJobPages())), {
    inline: true,
  });

  return (
    <section className="max-w-2xl">
      <h2 className="mb-4 font-display font-semibold text-xl">Background jobs</h2>
      <div className="card flex flex-col items-start gap-3 p-5">
        <p>
          What waits, runs and failed, at an address that only the people who run the server reach. What you
          change there is in the audit log.
        </p>
        {link ? (
          <>
            <a
              className="inline-flex min-h-11 items-center font-semibold text-ember-strong underline"
              href={link.url}
              onClick={() => setLink(undefined)}
              rel="noreferrer"
              target="_blank"
            >
              Open {link.host}
            </a>
            <p className="text-muted text-sm">
              The link works once, within a minute. It opens only if this browser reaches {link.host}: on the
              server itself, or through a tunnel to it. If the page does not open, it does not.
            </p>
          </>
        ) : (
          <Button busy={isBusy} onClick={request} variant="secondary">
            Get a link to the job pages
          </Button>
        )}
        {error && (
          <p className="text-danger text-sm" role="alert">
            {error}
          </p>
        )}
      </div>
    </section>
  );
}
