import { useState } from 'react';
import { MAX_END_MEMBER_SESSIONS_REASON } from '@/api/limits.gen.ts';
import type { ManagedMember } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { Button, ConfirmDialog, RelativeTime, TextField, toast } from '@/ui';
import { endSessions } from './adminRequests.ts';
import { useDecision } from './DecisionFrame.tsx';

/** On which kinds of devices the member is signed in, and a button that signs them out everywhere. */
export function UserSessions({ member }: { member: ManagedMember }) {
  const [asking, setAsking] = useState(false);
  const isStaff = member.isAdmin || member.isModerator;
  return (
    <section className="card p-5">
      <h3 className="font-semibold text-lg">Sessions</h3>
      {member.sessions.length === 0 && <p className="mt-2 text-muted text-sm">None.</p>}
      <ul className="divide-y divide-line text-sm">
        {member.sessions.map(({ device, sessions, lastSeenAt }) => (
          <li className="flex flex-wrap gap-x-3 py-2" key={device}>
            <span className="font-semibold">{device}</span>
            {sessions > 1 && <span>{sessions} sessions</span>}
            <span className="text-muted">
              Last used <RelativeTime inSentence value={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
      {member.sessions.length > 0 && !isStaff && (
        <Button className="mt-3" onClick={() => setAsking(true)} size="sm" variant="secondary">
          End all sessions
        </Button>
      )}
      {asking && <EndDialog member={member} onClose={() => setAsking(false)} />}
    </section>
  );
}

function EndDialog({ member, onClose }: { member: ManagedMember; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision({ reason });

  async function submit() {
    const found: Record<string, string> = {};
    if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
    if (!(await send(found, () => endSessions(member.id, reason.trim())))) return;
    onClose();
    toast({ title: 'All sessions ended' });
    await queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
  }

  return (
    <ConfirmDialog
      busy={busy}
      cancel="Cancel"
      confirm="End all sessions"
      description="The member is signed out everywhere at once, and can sign in again. What their devices have stored is deleted there."
      onClose={onClose}
      onConfirm={submit}
      title={`Sign ${member.fullName} out on all devices?`}
    >
      <TextField
        error={errors.reason ?? errors.form}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_END_MEMBER_SESSIONS_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </ConfirmDialog>
  );
}
