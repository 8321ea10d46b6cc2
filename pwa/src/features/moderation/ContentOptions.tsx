import { Ban, Flag, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { closeMemberMenu, type MenuContent, type MenuStep } from '@/member-menu/openMenu.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Sheet } from '@/ui';
import { report, reportContent } from './contactActions.ts';
import { BlockDialog } from './EndContactDialogs.tsx';
import { MenuItem } from './MenuItem.tsx';
import { memberReportTexts, ReportSheet } from './ReportSheet.tsx';

type ContentOptionsProps = {
  content: MenuContent;
  author: { id: string | null; firstName: string };
  start: MenuStep;
};

/** The menu of a story or comment: report it or its author, or block the author. */
export function ContentOptions({ content, author, start }: ContentOptionsProps) {
  const db = useDb();
  const [step, setStep] = useState<MenuStep | 'reportAuthor'>(start);
  const leavePage = useLeavePost(content);
  const name = author.firstName || 'this member';
  const what = content.kind === 'post' ? 'this story' : 'this comment';
  const { id } = author;
  if (step === 'block' && id)
    return (
      <BlockDialog
        member={{ id, firstName: author.firstName }}
        name={name}
        onClose={closeMemberMenu}
        onContactEnded={leavePage}
      />
    );
  if (step === 'report')
    return (
      <ReportSheet
        afterwards={
          id
            ? `If you would rather not see ${name} anymore, open the menu again and choose Block.`
            : 'Nobody is told who reported it.'
        }
        description={`A moderator reads it. We keep a copy of ${what} as evidence, and won't say who reported it.`}
        onClose={closeMemberMenu}
        onDone={closeMemberMenu}
        send={(reason, description) => reportContent(content, reason, description)}
        subject={what}
      />
    );
  if (step === 'reportAuthor' && id)
    return (
      <ReportSheet
        {...memberReportTexts(name)}
        onClose={closeMemberMenu}
        onDone={leavePage}
        send={(reason, description) => report(db, { userId: id, reason, description, place: 'profile' })}
        subject={name}
      />
    );
  return (
    <Sheet onClose={closeMemberMenu} open title={content.kind === 'post' ? 'Story' : 'Comment'}>
      <Choices author={id ? name : null} onChoose={setStep} what={what} />
    </Sheet>
  );
}

type ChoicesProps = {
  /** Such as "this story". */
  what: string;
  /** The name of the author; null for one whose account is deleted. */
  author: string | null;
  onChoose: (step: 'report' | 'reportAuthor' | 'block') => void;
};

function Choices({ what, author, onChoose }: ChoicesProps) {
  return (
    <ul className="-mx-2 flex flex-col gap-1">
      <MenuItem
        icon={Flag}
        label={`Report ${what}`}
        onClick={() => onChoose('report')}
        text="Tell us what is wrong with it. We won't say who reported it."
      />
      {author && (
        <>
          <MenuItem
            icon={UserRoundX}
            label={`Report ${author}`}
            onClick={() => onChoose('reportAuthor')}
            text={`For what they do elsewhere too. We'll hide ${author} from you right away and won't say who reported them.`}
          />
          <MenuItem
            icon={Ban}
            label={`Block ${author}`}
            onClick={() => onChoose('block')}
            text="You won't see each other anywhere on Heartward."
          />
        </>
      )}
    </ul>
  );
}

/** Returns a function that leaves the page of a post; a list only removes it. */
function useLeavePost({ kind, id }: MenuContent): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => {
    closeMemberMenu();
    if (kind === 'post' && pathname === paths.post(id)) void navigate(paths.community, { replace: true });
  };
}
