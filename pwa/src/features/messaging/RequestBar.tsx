import { useNavigate } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import { openMemberMenu } from '@/member-menu/openMenu.ts';
import { useOnline } from '@/offline/device/online.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { removeConversation, storeConversation } from '@/offline/sync/sync.ts';
import { paths } from '@/session/paths.ts';
import { Button, useAction } from '@/ui';

/** Shown in place of the composer while the conversation is a request. */
export function RequestBar({ conversation }: { conversation: ConversationRow }) {
  return (
    <div className="border-line border-t bg-surface px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]">
      {conversation.request === 'sent' ? (
        <p className="py-2 text-center text-muted" role="status">
          Waiting for {conversation.user.firstName}'s answer
        </p>
      ) : (
        <RequestAnswer conversation={conversation} />
      )}
    </div>
  );
}

function RequestAnswer({ conversation }: { conversation: ConversationRow }) {
  const db = useDb();
  const { id, user } = conversation;
  const online = useOnline();
  const navigate = useNavigate();
  const params = { path: { id } };

  const [accept, { isBusy: isAccepting }] = useAction(async () => {
    await storeConversation(db, await unwrap(api.POST('/api/conversations/{id}/accept', { params })));
  });
  const [decline, { isBusy: isDeclining }] = useAction(async () => {
    await unwrap(api.POST('/api/conversations/{id}/decline', { params }));
    await navigate(paths.messages, { replace: true });
    await removeConversation(db, id);
  });
  const isDisabled = !online || isAccepting || isDeclining;

  return (
    <>
      <p className="text-center text-muted text-sm">
        {user.firstName} would like to write with you. They can't see whether you've read this, and won't be
        told if you decline.
      </p>
      {!online && <p className="mt-1 text-center text-plum text-sm">You can answer once you're online.</p>}
      <div className="mx-auto mt-3 grid max-w-lg grid-cols-2 gap-2">
        <Button busy={isDeclining} disabled={isDisabled} onClick={decline} variant="secondary">
          Decline
        </Button>
        <Button busy={isAccepting} disabled={isDisabled} onClick={accept}>
          Accept
        </Button>
        <Button onClick={() => openMemberMenu(user, 'conversation', 'block')} size="sm" variant="ghost">
          Block
        </Button>
        <Button onClick={() => openMemberMenu(user, 'conversation', 'report')} size="sm" variant="ghost">
          Report
        </Button>
      </div>
    </>
  );
}
