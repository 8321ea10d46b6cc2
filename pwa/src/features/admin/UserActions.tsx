import { useState } from 'react';
import { v7 as uuid } from 'uuid';
import type { DecisionDraft, ManagedMember } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { useMember } from '@/session/session.ts';
import { toast } from '@/ui';
import { setFeatured, setStatus, warnMember } from './adminRequests.ts';
import { type Choice, ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { DecisionPreview } from './DecisionPreview.tsx';
import { bodyOfTexts, checkDecisionTexts, DecisionTexts, useDecisionTexts } from './DecisionTexts.tsx';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = 'warn' | 'suspend' | 'ban' | 'review' | 'reinstate' | 'feature';

const moderatorActions: Action[] = ['warn', 'suspend'];

/** Returns the actions that change something about the member as they are, and that the own role allows. */
function choicesFor(member: ManagedMember, isAdmin: boolean): Choice<Action>[] {
  const choices: Choice<Action>[] = [
    { value: 'warn', label: 'Warn', hint: 'The member gets an email.' },
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

/** Whether the member gets an email with an explanation. That of a reinstatement may be empty. */
const isExplained = (action?: Action) => action !== undefined && action !== 'feature';
const needsExplanation = (action?: Action) => isExplained(action) && action !== 'reinstate';

type UserActionsProps = { member: ManagedMember; onDone: () => void };

/** The values of the decision, its draft for the preview, and `submit`, which checks and stores it. */
function useMemberDecision({ member, onDone }: UserActionsProps) {
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const texts = useDecisionTexts();
  const { send, errors, busy } = useDecision({ decision: action, suspendedUntil: end, ...texts });
  // Chosen once, so that a repetition is the same warning.
  const [warningId] = useState(() => uuid());

  const body = () => ({
    ...bodyOfTexts(texts, needsExplanation(action)),
    ...(action === 'suspend' && { suspendedUntil: end }),
    ...(action === 'reinstate' && { explanation: texts.explanation.trim() }),
  });
  const isPreviewed =
    action && action !== 'feature' && (!needsExplanation(action) || Boolean(texts.explanation.trim()));
  const draft: DecisionDraft | undefined = isPreviewed
    ? { kind: 'member', id: member.id, decision: action, ...body() }
    : undefined;

  async function store() {
    const reason = texts.reason.trim();
    if (action === 'warn')
      await warnMember(member.id, warningId, { explanation: texts.explanation.trim(), ...body(), reason });
    if (action === 'suspend' || action === 'ban')
      await setStatus(member.id, { status: 'suspended', ...body(), reason });
    if (action === 'review') await setStatus(member.id, { status: 'under_review', ...body(), reason });
    if (action === 'reinstate') await setStatus(member.id, { status: 'active', ...body(), reason });
    if (action === 'feature') await setFeatured(member.id, !member.isFeatured, reason);
  }

  async function submit() {
    const found: Record<string, string> = action ? {} : { decision: 'Please choose what to do.' };
    if (!(await send(checkDecisionTexts(texts, needsExplanation(action), found), store))) return;
    toast({ title: action === 'feature' ? 'Featured status updated' : 'User status updated successfully' });
    await queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
    onDone();
  }

  return { action, setAction, setEnd, texts, draft, errors, busy, submit };
}

/** What an admin or a moderator can decide about a member. */
export function UserActions({ member, onDone }: UserActionsProps) {
  const { isAdmin } = useMember();
  const decision = useMemberDecision({ member, onDone });
  const { action, errors } = decision;
  if (member.isAdmin || member.isModerator)
    return (
      <p className="card p-5 text-muted">
        Admins and moderators cannot be sanctioned here. Their rights are revoked on the command line.
      </p>
    );
  return (
    <DecisionFrame
      busy={decision.busy}
      danger={action === 'suspend' || action === 'ban'}
      error={errors.form}
      onSend={decision.submit}
    >
      <ChoiceList
        choices={choicesFor(member, isAdmin)}
        error={errors.decision}
        label="Decision"
        onChange={decision.setAction}
        value={action}
      />
      {action === 'suspend' && <SuspensionSelect error={errors.suspendedUntil} onChange={decision.setEnd} />}
      <DecisionTexts
        defaultGround={action === 'reinstate' ? undefined : 'The community rules'}
        errors={errors}
        hint={action === 'reinstate' ? 'Emailed to the member. It may stay empty.' : 'Emailed to the member.'}
        isExplained={isExplained(action)}
        texts={decision.texts}
      />
      <DecisionPreview draft={decision.draft} />
    </DecisionFrame>
  );
}
