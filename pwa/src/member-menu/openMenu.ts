/** The open member menu, if any. `app/MenuHost.tsx` shows its dialogs in the shell, so that they outlive the card. */
import { createStore } from '@/base/store.ts';

/** Where the menu was opened; a report includes it. */
export type MemberPlace = 'card' | 'profile' | 'match' | 'conversation' | 'likes';

export type MenuMember = { id: string; firstName: string };

/** The first step of the menu. */
export type MenuStep = 'menu' | 'leave' | 'unmatch' | 'block' | 'report';

/** A post or comment of the community board. */
export type MenuContent = { kind: 'post' | 'comment'; id: string };

type OpenMenu =
  | { member: MenuMember; place: MemberPlace; step: MenuStep; content?: undefined }
  /** The menu of what a member wrote. The id is null for an author whose profile the viewer may not open. */
  | { member: { id: string | null; firstName: string }; step: MenuStep; content: MenuContent };

const openMenu = createStore<OpenMenu | null>(null);

export const openMemberMenu = (member: MenuMember, place: MemberPlace, step: MenuStep = 'menu') =>
  openMenu.set({ member, place, step });
export const openContentMenu = (content: MenuContent, author: { id: string | null; firstName: string }) =>
  openMenu.set({ member: author, content, step: 'menu' });
export const closeMemberMenu = () => openMenu.set(null);

export const useOpenMenu = openMenu.useValue;
