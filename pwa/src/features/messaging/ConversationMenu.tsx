import { Bell, BellOff, CheckCheck, Pin, PinOff } from 'lucide-react';
import { api, unwrap } from '@/api/client.ts';
import { getDb } from '@/offline/store/db.ts';
import { markRead, takeConversation } from '@/offline/sync/sync.ts';
import { Sheet, toastError } from '@/ui';
import { Choice } from './MessageMenu.tsx';
import type { ListedConversation } from './queries.ts';

type Change = { pinned?: boolean; mute?: 'off' | 'hour' | 'day' | 'week' | 'always' };

const lengths = [
  ['hour', 'Mute for an hour'],
  ['day', 'Mute for a day'],
  ['week', 'Mute for a week'],
  ['always', 'Mute until I change it'],
] as const;

/** What can be done with a conversation without opening it. */
export function ConversationMenu({ row, onClose }: { row: ListedConversation; onClose: () => void }) {
  const { id, user, pinned, muted, unreadCount } = row;

  async function set(change: Change) {
    onClose();
    try {
      const params = { path: { id } };
      const answer = await unwrap(api.PUT('/api/conversations/{id}/settings', { params, body: change }));
      await takeConversation(getDb(), answer);
    } catch (failure) {
      toastError(failure instanceof Error ? failure.message : 'Please try again.');
    }
  }

  async function read() {
    onClose();
    await markRead(getDb(), id, row.lastSeq).catch(() => undefined);
  }

  return (
    <Sheet onClose={onClose} open title={user.firstName}>
      <div className="-mx-3 flex flex-col">
        {unreadCount > 0 && <Choice icon={CheckCheck} label="Mark as read" onClick={() => void read()} />}
        <Choice
          icon={pinned ? PinOff : Pin}
          label={pinned ? 'Unpin' : 'Pin to the top'}
          onClick={() => void set({ pinned: !pinned })}
        />
        {muted ? (
          <Choice icon={Bell} label="Unmute" onClick={() => void set({ mute: 'off' })} />
        ) : (
          lengths.map(([mute, label]) => (
            <Choice icon={BellOff} key={mute} label={label} onClick={() => void set({ mute })} />
          ))
        )}
      </div>
    </Sheet>
  );
}
