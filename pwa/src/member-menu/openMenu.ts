/** The open member menu, if any. `app/MenuHost.tsx` shows its dialogs in the shell, so that they outlive the card. */
import { useSyncExternalStore } from 'react';

/** Where the menu was opened; a report includes it. */
export type MemberPlace = 'card' | 'profile' | 'match' | 'conversation' | 'likes';

export type MenuMember = { id: string; firstName: string };

/** What the menu shows first. */
export type MenuStep = 'menu' | 'leave' | 'unmatch' | 'block' | 'report';

type OpenMenu = { member: MenuMember; place: MemberPlace; step: MenuStep };

let open: OpenMenu | null = null;
const watchers = new Set<() => void>();

function set(next: OpenMenu | null): void {
  open = next;
  for (const watcher of watchers) watcher();
}

export const openMemberMenu = (member: MenuMember, place: MemberPlace, step: MenuStep = 'menu') =>
  set({ member, place, step });
export const closeMemberMenu = () => set(null);

export function useOpenMenu(): OpenMenu | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => open,
  );
}
