import { Archive, ArchiveRestore, Bell, BellOff, CheckCheck, Pin, PinOff, TimerOff } from 'lucide-react';
import { api, unwrap } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { markRead, storeConversation } from '@/offline/sync/sync.ts';
import { Sheet, useAction } from '@/ui';
import type { ListedConversation } from './conversations.ts';
import { MenuItem } from './MessageMenu.tsx';

type Change = {
  pinned?: boolean;
  archived?: boolean;
  turnEnded?: true;
  lastSeq?: number;
  mute?: 'off' | 'hour' | 'day' | 'week' | 'always';
};

const muteOptions = [
  ['hour', 'Mute for an hour'],
  ['day', 'Mute for a day'],
  ['week', 'Mute for a week'],
  ['always', 'Mute until I change it'],
] as const;

/** Actions on a conversation of the list. */
export function ConversationMenu({ row, onClose }: { row: ListedConversation; onClose: () => void }) {
  const db = useDb();
  const { id, user, pinned, muted, archived, isYourTurn, unreadCount, lastSeq } = row;

  const [changeSettings] = useAction(async (change: Change) => {
    onClose();
    const params = { path: { id } };
    const updated = await unwrap(api.PUT('/api/conversations/{id}/settings', { params, body: change }));
    await storeConversation(db, updated);
  });

  async function markAsRead() {
    onClose();
    await markRead(db, id, lastSeq).catch(() => undefined);
  }

  return (
    <Sheet onClose={onClose} open title={user.firstName}>
      <div className="-mx-3 flex flex-col">
        {unreadCount > 0 && (
          <MenuItem icon={CheckCheck} label="Mark as read" onClick={() => void markAsRead()} />
        )}
        {isYourTurn && (
          <MenuItem
            icon={TimerOff}
            label="No answer needed"
            onClick={() => void changeSettings({ turnEnded: true, lastSeq })}
          />
        )}
        <MenuItem
          icon={archived ? ArchiveRestore : Archive}
          label={archived ? 'Unarchive' : 'Archive'}
          onClick={() => void changeSettings({ archived: !archived, lastSeq })}
        />
        <MenuItem
          icon={pinned ? PinOff : Pin}
          label={pinned ? 'Unpin' : 'Pin to the top'}
          onClick={() => void changeSettings({ pinned: !pinned })}
        />
        {muted ? (
          <MenuItem icon={Bell} label="Unmute" onClick={() => void changeSettings({ mute: 'off' })} />
        ) : (
          muteOptions.map(([mute, label]) => (
            <MenuItem icon={BellOff} key={mute} label={label} onClick={() => void changeSettings({ mute })} />
          ))
        )}
      </div>
    </Sheet>
  );
}
