import { Ban, Flag, HeartCrack, LogOut, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  closeMemberMenu,
  type MemberPlace,
  type MenuMember,
  type MenuStep,
  useOpenMenu,
} from '@/member-menu/openMenu.ts';
import { useLive } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Sheet } from '@/ui';
import { BlockDialog, LeaveDialog, UnmatchDialog } from './PartingDialog.tsx';
import { ReportSheet } from './ReportSheet.tsx';

/** The open menu of a member, if any. It hangs in the shell: the card it came from goes with the member. */
export default function MemberOptions() {
  const open = useOpenMenu();
  if (!open) return null;
  return <Options key={open.member.id} member={open.member} place={open.place} start={open.step} />;
}

type OptionsProps = { member: MenuMember; place: MemberPlace; start: MenuStep };

function Options({ member, place, start }: OptionsProps) {
  const [step, setStep] = useState<MenuStep>(start);
  const match = useLive((db) => db.matches.filter(({ user }) => user.id === member.id).first(), [member.id]);
  const talk = useLive((db) => db.conversations.where('userId').equals(member.id).first(), [member.id]);
  const leave = useLeave(member.id);
  const name = member.firstName || 'this member';

  if (step === 'unmatch' && match)
    return (
      <UnmatchDialog
        matchId={match.id}
        member={member}
        name={name}
        onClose={closeMemberMenu}
        onGone={leave}
      />
    );
  if (step === 'leave' && talk)
    return (
      <LeaveDialog
        conversationId={talk.id}
        member={member}
        name={name}
        onClose={closeMemberMenu}
        onGone={leave}
      />
    );
  if (step === 'block')
    return <BlockDialog member={member} name={name} onClose={closeMemberMenu} onGone={leave} />;
  if (step === 'report')
    return <ReportSheet member={member} name={name} onClose={closeMemberMenu} onGone={leave} place={place} />;
  return (
    <Sheet onClose={closeMemberMenu} open title={member.firstName || 'Options'}>
      <ul className="-mx-2 flex flex-col gap-1">
        {match && (
          <Choice
            icon={HeartCrack}
            label="Unmatch"
            onClick={() => setStep('unmatch')}
            text="End the match. Your conversation goes for both of you."
          />
        )}
        {talk && !match && place === 'conversation' && (
          <Choice
            icon={LogOut}
            label="Leave conversation"
            onClick={() => setStep('leave')}
            text="It goes for both of you, for good."
          />
        )}
        <Choice
          icon={Ban}
          label="Block"
          onClick={() => setStep('block')}
          text="You will not see each other anywhere on Heartward."
        />
        <Choice
          icon={Flag}
          label="Report"
          onClick={() => setStep('report')}
          text={`Tell us what is wrong. ${name} is hidden from you at once and is not told who reported.`}
        />
      </ul>
    </Sheet>
  );
}

type ChoiceProps = { icon: LucideIcon; label: string; text: string; onClick: () => void };

function Choice({ icon: Icon, label, text, onClick }: ChoiceProps) {
  return (
    <li>
      <button
        className="flex w-full items-start gap-4 rounded-control px-3 py-3 text-left transition-colors hover:bg-raised"
        onClick={onClick}
        type="button"
      >
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised">
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
        </span>
        <span>
          <span className="block font-semibold">{label}</span>
          <span className="block text-muted text-sm">{text}</span>
        </span>
      </button>
    </li>
  );
}

/** Away from a page that shows the member, once they are gone; every other screen just loses their card. */
function useLeave(memberId: string): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => {
    closeMemberMenu();
    if (pathname === paths.member(memberId)) void navigate(paths.discover, { replace: true });
    else if (pathname.startsWith(`${paths.messages}/`)) void navigate(paths.messages, { replace: true });
  };
}
