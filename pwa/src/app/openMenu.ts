/** Which member's menu is open, and from where: the dialogs hang in the shell, so that they outlive the card. */
import { useSyncExternalStore } from 'react';

/** Where a member was shown; a report says so. */
export type MemberPlace = 'card' | 'profile' | 'match' | 'conversation' | 'likes';

export type MenuMember = { id: string; firstName: string };

/** What of the menu is shown first. */
export type MenuStep = 'menu' | 'leave' | 'unmatch' | 'block' | 'report';

type Open = { member: MenuMember; place: MemberPlace; step: MenuStep };

let open: Open | null = null;
const watchers = new Set<() => void>();

function set(next: Open | null): void {
  open = next;
  for (const watcher of watchers) watcher();
}

export const openMemberMenu = (member: MenuMember, place: MemberPlace, step: MenuStep = 'menu') =>
  set({ member, place, step });
export const closeMemberMenu = () => set(null);

export function useOpenMenu(): Open | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => open,
  );
}
