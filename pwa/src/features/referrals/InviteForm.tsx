import { Mail } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { MAX_INVITE_FRIEND_EMAIL } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { useMember } from '@/session/session.ts';
import { Button, TextField, useForm } from '@/ui';
import { inviteFriend } from './referrals.ts';

/** Invites a friend by mail. `onInvited` refreshes the list. */
export function InviteForm({ onInvited }: { onInvited: () => void }) {
  const me = useMember();
  const online = useOnline();
  const form = useForm({ email: '' }, { inline: true });
  const { email } = form.values;
  const [clientId, setClientId] = useState(() => uuidv7());
  const [isInvited, setInvited] = useState(false);

  async function send() {
    setInvited(false);
    await inviteFriend(me.id, clientId, email);
    form.reset({ email: '' });
    setClientId(uuidv7());
    setInvited(true);
    onInvited();
  }

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={form.submit(send)}>
      <TextField
        autoComplete="off"
        hint="One short email with your first name, and never a reminder. Please invite people who would be glad to hear from you."
        inputMode="email"
        label="Your friend's email address"
        maxLength={MAX_INVITE_FRIEND_EMAIL}
        type="email"
        {...form.field('email')}
        error={form.errorOf('email') || form.error}
        onChange={({ target }) => {
          form.set({ email: target.value });
          // Another address is another invitation.
          setClientId(uuidv7());
          setInvited(false);
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          busy={form.isBusy}
          disabled={!online || email.trim() === ''}
          type="submit"
          variant="secondary"
        >
          <Mail aria-hidden="true" className="size-4.5" />
          Send invitation
        </Button>
        <p className="min-w-[min(100%,12rem)] flex-1 text-muted text-sm" role="status">
          {!online && 'Invitations need a connection.'}
          {isInvited && 'Thank you. If we may write to this address, the email is on its way.'}
        </p>
      </div>
    </form>
  );
}
