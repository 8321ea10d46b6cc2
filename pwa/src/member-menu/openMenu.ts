/** The open member menu, if any. `app/MenuHost.tsx` shows its dialogs in the shell, so that they outlive the card. */
import { createStore } from '@/ui';

/** Where the menu was opened; a report includes it. */
export type MemberPlace = 'card' | 'profile' | 'match' | 'conversation' | 'likes';

export type MenuMember = { id: string; firstName: string };

/** The first step of the menu. */
export type MenuStep = 'menu' | 'leave' | 'unmatch' | 'block' | 'report';

type OpenMenu = { member: MenuMember; place: MemberPlace; step: MenuStep };

const openMenu = createStore<OpenMenu | null>(null);

export const openMemberMenu = (member: MenuMember, place: MemberPlace, step: MenuStep = 'menu') =>
  openMenu.set({ member, place, step });
export const closeMemberMenu = () => openMenu.set(null);

export const useOpenMenu = openMenu.useValue;
