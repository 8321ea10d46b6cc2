import { useState } from 'react';
import { v7 as uuid } from 'uuid';
import { MAX_SET_MEMBER_STATUS_REASON } from '@/api/limits.gen.ts';
import type { ManagedMember } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { useMember } from '@/session/session.ts';
import { TextArea, TextField, toast } from '@/ui';
import { type Choice, ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { setFeatured, setStatus, warnMember } from './requests.ts';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = 'warn' | 'suspend' | 'ban' | 'review' | 'reinstate' | 'feature';

const moderatorActions: Action[] = ['warn', 'suspend'];

/** Returns the actions that change something about the member as they are, and that the own role allows. */
function choicesFor(member: ManagedMember, isAdmin: boolean): Choice<Action>[] {
  const choices: Choice<Action>[] = [
    { value: 'warn', label: 'Warn', hint: 'The member gets a mail.' },
    { value: 'suspend', label: 'Suspend', hint: 'Signed out at once, until the end.' },
    { value: 'ban', label: 'Ban', hint: 'Signed out at once, without an end.' },
    { value: 'review', label: 'Put under review', hint: 'Hidden until you reinstate them.' },
    { value: 'reinstate', label: 'Reinstate', hint: 'The profile is active again.' },
    member.isFeatured
      ? {
          value: 'feature',
          label: 'Stop featuring',
          hint: 'They no longer come before others of the same score.',
        }
      : { value: 'feature', label: 'Feature', hint: 'They come before others of the same score.' },
  ];
  const status = member.profileStatus;
  return choices.filter(
    ({ value }) =>
      (isAdmin || moderatorActions.includes(value)) &&
      !(value === 'reinstate' && status === 'active') &&
      !(value === 'review' && status === 'under_review'),
  );
}

const isExplained = (action?: Action) =>
  action !== undefined && action !== 'reinstate' && action !== 'feature';

type UserActionsProps = { member: ManagedMember; onDone: () => void };

/** What an admin or a moderator can decide about a member. */
export function UserActions({ member, onDone }: UserActionsProps) {
  const { isAdmin } = useMember();
  const { send, errors, busy } = useDecision();
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const [explanation, setExplanation] = useState('');
  const [reason, setReason] = useState('');
  // Chosen once, so that a repetition is the same warning.
  const [warningId] = useState(() => uuid());
  if (member.isAdmin || member.isModerator)
    return (
      <p className="card p-5 text-muted">
        Admins and moderators cannot be sanctioned here. Their rights are revoked on the command line.
      </p>
    );

  async function store() {
    const texts = { explanation: explanation.trim(), reason: reason.trim() };
    if (action === 'warn') await warnMember(member.id, warningId, texts);
    if (action === 'suspend')
      await setStatus(member.id, { status: 'suspended', suspendedUntil: end, ...texts });
    if (action === 'ban') await setStatus(member.id, { status: 'suspended', ...texts });
    if (action === 'review') await setStatus(member.id, { status: 'under_review', ...texts });
    if (action === 'reinstate') await setStatus(member.id, { status: 'active', reason: texts.reason });
    if (action === 'feature') await setFeatured(member.id, !member.isFeatured, texts.reason);
  }

  async function submit() {
    const found: Record<string, string> = {};
    if (!action) found.decision = 'Please choose what to do.';
    if (isExplained(action) && !explanation.trim())
      found.explanation = 'Please explain the decision to the member.';
    if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
    if (!(await send(found, store))) return;
    toast({ title: action === 'feature' ? 'Featured status updated' : 'User status updated successfully' });
    await queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
    onDone();
  }

  return (
    <DecisionFrame
      busy={busy}
      danger={action === 'suspend' || action === 'ban'}
      error={errors.form}
      onSend={submit}
    >
      <ChoiceList
        choices={choicesFor(member, isAdmin)}
        error={errors.decision}
        label="Decision"
        onChange={setAction}
        value={action}
      />
      {action === 'suspend' && <SuspensionSelect error={errors.suspendedUntil} onChange={setEnd} />}
      {isExplained(action) && (
        <TextArea
          count={explanation.length}
          error={errors.explanation}
          hint="Mailed to the member."
          label="Explanation"
          maxLength={MAX_SET_MEMBER_STATUS_REASON}
          onChange={(event) => setExplanation(event.target.value)}
          value={explanation}
        />
      )}
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_SET_MEMBER_STATUS_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
