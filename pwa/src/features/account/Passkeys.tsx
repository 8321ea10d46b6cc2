import { KeyRound, Smartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import { MAX_ADD_PASSKEY_NAME } from '@/api/limits.gen.ts';
import type { Factors, Me, Passkey } from '@/api/types.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { refreshFactors, useFactors } from '@/session/factors.ts';
import { addPasskey, canUsePasskeys, describePasskeyFailure, signalRemoved } from '@/session/passkeys.ts';
import { paths } from '@/session/paths.ts';
import {
  Button,
  ButtonLink,
  ConfirmDialog,
  ErrorState,
  lazyWithRetry,
  RelativeTime,
  TextField,
  toast,
  useAction,
} from '@/ui';
import { useProof } from './useProof.tsx';

const RecoveryCodes = lazyWithRetry(() => import('./RecoveryCodes.tsx'));

/** The member's passkeys, which can be added, renamed and removed; for admins also the authenticator app. */
export function Passkeys({ me }: { me: Me }) {
  const factors = useFactors();
  const failure = useFailure(factors);
  const { change, isBusy, dialog } = usePasskeyChange();

  const {
    passkeys = [],
    canPasskey = true,
    adminSession,
    hasApp,
    recoveryCodes = 0,
  } = factors.data ?? ({} as Partial<Factors>);
  const mustSignIn = adminSession === 'unproved' || adminSession === 'setup';
  const isStaff = me.isAdmin || me.isModerator;
  const hasFactor = hasApp || passkeys.some(({ isFactor }) => isFactor);
  return (
    <section className="card p-5">
      <Explanation />
      {failure && (
        <ErrorState
          onRetry={factors.refetch}
          text={describeLoadError(failure)}
          title="Your passkeys could not be loaded"
        />
      )}
      <ul className="mt-2 divide-y divide-line">
        {passkeys.map((passkey) => (
          <Entry busy={isBusy} change={change} key={passkey.id} passkey={passkey} />
        ))}
        {hasApp && (
          <AuthenticatorApp
            busy={isBusy}
            onRemove={() => change(() => unwrap(api.DELETE('/api/auth/app')), 'Authenticator app removed')}
          />
        )}
      </ul>
      {/* As high as the button, before the response too, so that what is below keeps its place. */}
      {!mustSignIn && !failure && (
        <div className="mt-2 grid min-h-11 content-center justify-items-start">
          {canPasskey && canUsePasskeys() ? (
            <AddButton busy={isBusy} change={change} disabled={factors.isPending} />
          ) : (
            <p className="text-muted text-sm">This browser cannot add a passkey here.</p>
          )}
        </div>
      )}
      {isStaff && hasFactor && !mustSignIn && (
        <Suspense>
          <RecoveryCodes busy={isBusy} change={change} left={recoveryCodes} />
        </Suspense>
      )}
      {isStaff && mustSignIn && (
        <ButtonLink className="mt-2" size="sm" to={paths.adminLogin} variant="secondary">
          Confirm your second factor to change these
        </ButtonLink>
      )}
      {dialog}
    </section>
  );
}

const Explanation = () => (
  <>
    <h2 className="font-display font-semibold text-lg">Passkeys</h2>
    <p className="mt-1 text-muted">
      Sign in with your fingerprint, your face or your device's PIN. Only you have the key; we have nothing
      that can be stolen.
    </p>
  </>
);

/** Returns a function that runs a change, after a proof if the server requires one. */
function usePasskeyChange() {
  const { withProof, dialog } = useProof();
  const [change, { isBusy }] = useAction(
    async (action: () => Promise<unknown>, title: string) => {
      try {
        const changed = await withProof(async () => {
          await action();
        });
        if (changed) toast({ title });
      } finally {
        await refreshFactors();
      }
    },
    { errorText: describePasskeyFailure },
  );
  return { change, isBusy, dialog };
}

function AuthenticatorApp({ busy, onRemove }: { busy: boolean; onRemove: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Smartphone aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <p className="flex-1 font-medium">Authenticator app</p>
      <Button disabled={busy} onClick={onRemove} size="sm" variant="secondary">
        Remove
      </Button>
    </li>
  );
}

/** Runs a change, after a proof if the server requires one, and shows `title` when it is done. */
export type Change = (action: () => Promise<unknown>, title: string) => Promise<boolean>;

const AddButton = ({ busy, disabled, change }: { busy: boolean; disabled: boolean; change: Change }) => (
  <Button
    busy={busy}
    disabled={disabled}
    onClick={() => change(() => addPasskey(), 'Passkey added')}
    size="sm"
    variant="secondary"
  >
    Add a passkey
  </Button>
);

type EntryProps = { passkey: Passkey; busy: boolean; change: Change };

function Entry({ passkey, busy, change }: EntryProps) {
  const [dialog, setDialog] = useState<'rename' | 'remove'>();
  const close = () => setDialog(undefined);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <KeyRound aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="min-w-[min(100%,5.5rem)] flex-1">
        <p className="wrap-anywhere font-medium">{passkey.name}</p>
        <p className="text-muted text-sm">
          {passkey.usedAt ? (
            <>
              Used <RelativeTime inSentence value={passkey.usedAt} />
            </>
          ) : (
            <>
              Added <RelativeTime inSentence value={passkey.createdAt} />
            </>
          )}
        </p>
      </div>
      <Button
        aria-label={`Rename ${passkey.name}`}
        disabled={busy}
        onClick={() => setDialog('rename')}
        size="sm"
        variant="ghost"
      >
        Rename
      </Button>
      <Button
        aria-label={`Remove ${passkey.name}`}
        disabled={busy}
        onClick={() => setDialog('remove')}
        size="sm"
        variant="secondary"
      >
        Remove
      </Button>
      {dialog === 'rename' && <RenameDialog change={change} onClose={close} passkey={passkey} />}
      {dialog === 'remove' && <RemoveDialog change={change} onClose={close} passkey={passkey} />}
    </li>
  );
}

type EntryDialogProps = { passkey: Passkey; change: Change; onClose: () => void };

function RenameDialog({ passkey, change, onClose }: EntryDialogProps) {
  const [name, setName] = useState(passkey.name);
  const params = { path: { id: passkey.id } };
  return (
    <ConfirmDialog
      cancel="Cancel"
      confirm="Save"
      disabled={!name.trim()}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void change(
          () => unwrap(api.PATCH('/api/auth/passkeys/{id}', { params, body: { name } })),
          'Passkey renamed',
        );
      }}
      title="Rename this passkey"
      variant="primary"
    >
      <TextField
        label="Name"
        maxLength={MAX_ADD_PASSKEY_NAME}
        onChange={(event) => setName(event.target.value)}
        value={name}
      />
    </ConfirmDialog>
  );
}

function RemoveDialog({ passkey, change, onClose }: EntryDialogProps) {
  const params = { path: { id: passkey.id } };
  return (
    <ConfirmDialog
      cancel="Keep it"
      confirm="Remove"
      description="You won't be able to sign in with it. Devices that are signed in stay signed in."
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void change(async () => {
          await unwrap(api.DELETE('/api/auth/passkeys/{id}', { params }));
          void signalRemoved(passkey.credentialId);
        }, 'Passkey removed');
      }}
      title={`Remove “${passkey.name}”?`}
    />
  );
}
