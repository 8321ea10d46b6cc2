import { useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { Button, ConfirmDialog } from '@/ui';
import type { Change } from './Passkeys.tsx';

type RecoveryCodesProps = {
  /** The number of unused codes. */
  left: number;
  busy: boolean;
  change: Change;
};

/** The codes with which an admin or a moderator signs in without the second factor, shown once. */
export default function RecoveryCodes({ left, busy, change }: RecoveryCodesProps) {
  const [codes, setCodes] = useState<string[]>();
  const [asking, setAsking] = useState(false);

  function replace() {
    setAsking(false);
    void change(
      async () => setCodes((await unwrap(api.POST('/api/auth/recovery-codes'))).codes),
      'New recovery codes made',
    );
  }

  return (
    <div className="mt-4 border-line border-t pt-4">
      <h3 className="font-semibold">Recovery codes</h3>
      {codes ? (
        <NewCodes codes={codes} onDone={() => setCodes(undefined)} />
      ) : (
        <>
          <p className="mt-1 text-muted">
            {left === 0
              ? 'You have none. With them you can sign in when you lose your passkey or authenticator app.'
              : `You have ${left} of 10 left. Keep them apart from your devices.`}
          </p>
          <Button
            className="mt-2"
            disabled={busy}
            onClick={() => (left > 0 ? setAsking(true) : replace())}
            size="sm"
            variant="secondary"
          >
            {left === 0 ? 'Make recovery codes' : 'Replace them'}
          </Button>
        </>
      )}
      {asking && (
        <ConfirmDialog
          cancel="Keep them"
          confirm="Replace them"
          description="The codes that you have now stop working."
          onClose={() => setAsking(false)}
          onConfirm={replace}
          title="Make new recovery codes?"
        />
      )}
    </div>
  );
}

const NewCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <>
    <p className="mt-1">
      Print or write these down now: you cannot see them again. Each works once, instead of your passkey or
      authenticator app.
    </p>
    <ul aria-label="Recovery codes" className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 font-mono">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Button className="mt-3" onClick={onDone} size="sm" variant="secondary">
      I have written them down
    </Button>
  </>
);
