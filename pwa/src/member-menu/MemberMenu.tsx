import { EllipsisVertical } from 'lucide-react';
import { IconButton } from '@/ui';
import { type MemberPlace, type MenuMember, openMemberMenu } from './openMenu.ts';

type MemberMenuProps = {
  member: MenuMember;
  place: MemberPlace;
  tone?: 'plain' | 'surface' | 'photo';
  className?: string;
};

/** The button that opens the menu of a member: block, report, unmatch. */
export function MemberMenu({ member, place, tone, className }: MemberMenuProps) {
  return (
    <IconButton
      aria-haspopup="dialog"
      className={className}
      icon={EllipsisVertical}
      label={`Options for ${member.firstName || 'this member'}`}
      onClick={() => openMemberMenu(member, place)}
      tone={tone}
    />
  );
}
