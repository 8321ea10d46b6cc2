import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { MAX_BLOCK_ADDRESS_LABEL } from '@/api/limits.gen.ts';
import { formatDate } from '@/base/format.ts';
import { useOnline } from '@/offline/device/online.ts';
import { queryClient } from '@/session/query.ts';
import { Button, TextField, useAction, useForm } from '@/ui';
import { ListNotLoaded } from './ListNotLoaded.tsx';

const addressesQuery = {
  queryKey: ['address-blocks'],
  queryFn: () => unwrap(api.GET('/api/blocks/addresses')),
  gcTime: 0,
};

const reload = () => queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey });

/** Blocks people by their e-mail address before they join, in the privacy settings. */
export function BlockedAddresses() {
  const online = useOnline();
  const { data = [], isError, refetch } = useQuery(addressesQuery);
  return (
    <section aria-labelledby="blocked-addresses-title" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="blocked-addresses-title">
        Block by email address
      </h2>
      <p className="mt-1 text-muted text-sm">
        You and anyone who has this address, now or later, won't see each other. They aren't told, and we
        won't say whether someone has it. We don't keep the address itself, so give each entry a name.
      </p>
      <AddForm online={online} />
      {isError && <ListNotLoaded onRetry={refetch} />}
      {data.length > 0 && (
        <ul className="mt-4 divide-y divide-line">
          {data.map(({ id, label, createdAt }) => (
            <Row createdAt={createdAt} id={id} key={id} label={label} online={online} />
          ))}
        </ul>
      )}
    </section>
  );
}

const noAddress = { email: '', label: '' };

function AddForm({ online }: { online: boolean }) {
  const form = useForm(noAddress);

  async function add(body: typeof noAddress) {
    await unwrap(api.POST('/api/blocks/addresses', { body }));
    form.reset(noAddress);
    await reload();
  }

  return (
    <form className="mt-4 flex flex-col gap-4" noValidate onSubmit={form.submit(add)}>
      <TextField
        autoCapitalize="none"
        autoComplete="off"
        inputMode="email"
        label="Their email address"
        type="email"
        {...form.field('email')}
        name="blocked-email"
      />
      <TextField
        autoComplete="off"
        hint="Only you see it."
        label="A name for this entry"
        maxLength={MAX_BLOCK_ADDRESS_LABEL}
        {...form.field('label')}
        name="blocked-label"
      />
      <Button busy={form.isBusy} className="self-start" disabled={!online} type="submit" variant="secondary">
        Block this address
      </Button>
      {!online && <p className="text-muted text-sm">You can change this list when you are online again.</p>}
    </form>
  );
}

type RowProps = { id: string; label: string; createdAt: string; online: boolean };

function Row({ id, label, createdAt, online }: RowProps) {
  async function deleteEntry() {
    await unwrap(api.DELETE('/api/blocks/addresses/{id}', { params: { path: { id } } }));
    await reload();
  }
  const [remove, { isBusy }] = useAction(deleteEntry, { staysBusy: true });

  return (
    <li className="flex items-center gap-3 py-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold" dir="auto">
          {label}
        </span>
        <span className="block truncate text-muted text-sm">Since {formatDate(createdAt)}</span>
      </span>
      <Button
        aria-label={`Remove ${label}`}
        busy={isBusy}
        disabled={!online}
        onClick={remove}
        size="sm"
        variant="secondary"
      >
        Remove
      </Button>
    </li>
  );
}
