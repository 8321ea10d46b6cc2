import { Ban, Flag, HeartCrack, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useIsEnding } from '@/domain/unmatch.ts';
import {
  closeMemberMenu,
  type MemberPlace,
  type MenuMember,
  type MenuStep,
  useOpenMenu,
} from '@/member-menu/openMenu.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Sheet } from '@/ui';
import { ContentOptions } from './ContentOptions.tsx';
import { report } from './contactActions.ts';
import { BlockDialog, LeaveDialog, UnmatchDialog } from './EndContactDialogs.tsx';
import { MenuItem } from './MenuItem.tsx';
import { memberReportTexts, ReportSheet } from './ReportSheet.tsx';

/** The open menu of a member, if any. It is rendered in the shell, because the member's card may be removed. */
export default function MemberOptions() {
  const open = useOpenMenu();
  if (!open) return null;
  if (open.content)
    return (
      <ContentOptions author={open.member} content={open.content} key={open.content.id} start={open.step} />
    );
  return <Options key={open.member.id} member={open.member} place={open.place} start={open.step} />;
}

type OptionsProps = { member: MenuMember; place: MemberPlace; start: MenuStep };

function Options({ member, place, start }: OptionsProps) {
  const db = useDb();
  const [step, setStep] = useState<MenuStep>(start);
  const match = useLive((db) => db.matches.filter(({ user }) => user.id === member.id).first(), [member.id]);
  const conversation = useLive(
    (db) => db.conversations.where('userId').equals(member.id).first(),
    [member.id],
  );
  const isEnding = useIsEnding(member.id);
  const leavePage = useLeavePage(member.id);
  const name = member.firstName || 'this member';
  const dialog = { member, name, onClose: closeMemberMenu, onContactEnded: leavePage };

  if (step === 'unmatch' && match) return <UnmatchDialog {...dialog} matchId={match.id} />;
  if (step === 'leave' && conversation) return <LeaveDialog {...dialog} conversationId={conversation.id} />;
  if (step === 'block') return <BlockDialog {...dialog} />;
  if (step === 'report')
    return (
      <ReportSheet
        {...memberReportTexts(name)}
        onClose={closeMemberMenu}
        onDone={leavePage}
        send={(reason, description) => report(db, { userId: member.id, reason, description, place })}
        subject={name}
      />
    );
  return (
    <OptionsMenu
      canLeave={Boolean(conversation && !match && place === 'conversation')}
      canUnmatch={Boolean(match && !isEnding)}
      member={member}
      name={name}
      onChoose={setStep}
    />
  );
}

type OptionsMenuProps = {
  member: MenuMember;
  name: string;
  canUnmatch: boolean;
  canLeave: boolean;
  onChoose: (step: MenuStep) => void;
};

function OptionsMenu({ member, name, canUnmatch, canLeave, onChoose }: OptionsMenuProps) {
  return (
    <Sheet onClose={closeMemberMenu} open title={member.firstName || 'Options'}>
      <ul className="-mx-2 flex flex-col gap-1">
        {canUnmatch && (
          <MenuItem
            icon={HeartCrack}
            label="Unmatch"
            onClick={() => onChoose('unmatch')}
            text="Ends the match and deletes the conversation for both of you."
          />
        )}
        {canLeave && (
          <MenuItem
            icon={LogOut}
            label="Leave conversation"
            onClick={() => onChoose('leave')}
            text="It's deleted for both of you."
          />
        )}
        <MenuItem
          icon={Ban}
          label="Block"
          onClick={() => onChoose('block')}
          text="You won't see each other anywhere on Heartward."
        />
        <MenuItem
          icon={Flag}
          label="Report"
          onClick={() => onChoose('report')}
          text={`Tell us what is wrong. We'll hide ${name} from you right away and won't say who reported them.`}
        />
      </ul>
    </Sheet>
  );
}

/** Returns a function that leaves the member's profile or conversation; other screens only remove their card. */
function useLeavePage(memberId: string): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => {
    closeMemberMenu();
    if (pathname === paths.member(memberId)) void navigate(paths.discover, { replace: true });
    else if (pathname.startsWith(`${paths.messages}/`)) void navigate(paths.messages, { replace: true });
  };
}
