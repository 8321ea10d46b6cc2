import { describeError } from '@/api/errors.ts';
import { UNDO_MS, unmatch } from '@/domain/unmatch.ts';
import { UndoUnmatch } from '@/member-menu/EndingMatch.tsx';
import type { MenuMember } from '@/member-menu/openMenu.ts';
import { useOnline } from '@/offline/device/online.ts';
import { useDb } from '@/offline/store/cached.ts';
import { ConfirmDialog, FailureText, toast, useAction } from '@/ui';
import { block, leave } from './contactActions.ts';

type DialogProps = { member: MenuMember; name: string; onClose: () => void; onContactEnded: () => void };

type UnmatchDialogProps = DialogProps & { matchId: string };

type EndContactProps = Pick<DialogProps, 'onClose' | 'onContactEnded'> & {
  title: string;
  text: string;
  action: string;
  doneTitle: string;
  end: () => Promise<void>;
};

/** Confirms an action that ends a contact, and stays open when it fails. */
function EndContactDialog({ title, text, action, doneTitle, end, onClose, onContactEnded }: EndContactProps) {
  async function endContact() {
    await end();
    onContactEnded();
    toast({ title: doneTitle });
  }
  const [submit, { isBusy, error }] = useAction(endContact, {
    inline: true,
    errorText: (failure) => describeError(failure, 'This did not work. Please try again.'),
    staysBusy: true,
  });

  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Cancel"
      confirm={action}
      description={text}
      onClose={onClose}
      onConfirm={submit}
      title={title}
    >
      <FailureText className="text-base">{error}</FailureText>
    </ConfirmDialog>
  );
}

export function BlockDialog({ member, name, ...rest }: DialogProps) {
  const db = useDb();
  return (
    <EndContactDialog
      action="Block"
      doneTitle={`${member.firstName || 'Member'} is blocked`}
      end={() => block(db, member.id)}
      text={`You won't be able to see, like or message each other. A match ends, and the conversation is deleted for both of you. They aren't told. You can unblock them in Settings, under Privacy.`}
      title={`Block ${name}?`}
      {...rest}
    />
  );
}

export function LeaveDialog({
  member,
  name,
  conversationId,
  ...rest
}: DialogProps & { conversationId: string }) {
  const db = useDb();
  return (
    <EndContactDialog
      action="Leave"
      doneTitle={`You left the conversation with ${name}`}
      end={() => leave(db, conversationId, member.id)}
      text={`The conversation is deleted for both of you. ${name} isn't told why.`}
      title="Leave this conversation?"
      {...rest}
    />
  );
}

/** Confirms an unmatch, which can be undone for ten seconds. */
export function UnmatchDialog({ member, name, matchId, onClose, onContactEnded }: UnmatchDialogProps) {
  const db = useDb();
  const online = useOnline();
  const [submit, { isBusy }] = useAction(
    async () => {
      await unmatch(db, matchId, member.id);
      onContactEnded();
      toast({
        title: `Unmatching ${name}`,
        description: online ? undefined : "You're offline. Your match ends once you're connected.",
        action: <UndoUnmatch db={db} member={member} />,
        duration: UNDO_MS,
      });
    },
    { staysBusy: true },
  );
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Cancel"
      confirm="Unmatch"
      description={`The match and your conversation are deleted for both of you. You can undo this for ten seconds. ${name} isn't told why.`}
      onClose={onClose}
      onConfirm={submit}
      title={`Unmatch ${name}?`}
    />
  );
}
