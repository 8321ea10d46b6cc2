import { Mail } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { describeError } from '@/api/errors.ts';
import { MAX_INVITE_FRIEND_EMAIL } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { useMember } from '@/session/session.ts';
import { Button, TextField } from '@/ui';
import { inviteFriend } from './referrals.ts';

/** Invites a friend by mail. `onInvited` refreshes the list. */
export function InviteForm({ onInvited }: { onInvited: () => void }) {
  const me = useMember();
  const online = useOnline();
  const [email, setEmail] = useState('');
  const [clientId, setClientId] = useState(() => uuidv7());
  const [state, setState] = useState<{ error?: string; busy?: boolean; invited?: boolean }>({});

  async function send(event: FormEvent) {
    event.preventDefault();
    setState({ busy: true });
    try {
      await inviteFriend(me.id, clientId, email);
      setEmail('');
      setClientId(uuidv7());
      setState({ invited: true });
      onInvited();
    } catch (failure) {
      setState({ error: describeError(failure) });
    }
  }

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={send}>
      <TextField
        autoComplete="off"
        error={state.error}
        hint="One short email with your first name, and never a reminder. Please invite people who would be glad to hear from you."
        inputMode="email"
        label="Your friend's email address"
        maxLength={MAX_INVITE_FRIEND_EMAIL}
        onChange={({ target }) => {
          setEmail(target.value);
          // Another address is another invitation.
          setClientId(uuidv7());
          setState({});
        }}
        type="email"
        value={email}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button busy={state.busy} disabled={!online || email.trim() === ''} type="submit" variant="secondary">
          <Mail aria-hidden="true" className="size-4.5" />
          Send invitation
        </Button>
        <p className="min-w-[min(100%,12rem)] flex-1 text-muted text-sm" role="status">
          {!online && 'Invitations need a connection.'}
          {state.invited && 'Thank you. If we may write to this address, the email is on its way.'}
        </p>
      </div>
    </form>
  );
}
