import {
  Award,
  BadgeCheck,
  BadgeX,
  Bell,
  CalendarCheck,
  CalendarClock,
  CalendarHeart,
  CalendarX,
  Camera,
  FilePen,
  Flag,
  Gift,
  GraduationCap,
  Heart,
  HeartHandshake,
  Image,
  ImagePlus,
  KeyRound,
  type LucideIcon,
  Mail,
  MapPin,
  MessageCircle,
  MessageSquare,
  Mic,
  Newspaper,
  Reply,
  ShieldAlert,
  ShieldCheck,
  Sparkles,
  Star,
  UserCheck,
  UserPlus,
  UserX,
  Video,
} from 'lucide-react';
import { Link } from 'react-router';
import type { ActivityItem } from '@/api/types.ts';
import { Avatar, cn, RelativeTime } from '@/ui';

const icons: Record<ActivityItem['kind'], LucideIcon> = {
  liked: Heart,
  super_liked: Star,
  matched: Sparkles,
  date_planned: CalendarHeart,
  photo_added: Camera,
  banner_added: Image,
  voice_added: Mic,
  video_added: Video,
  verified: BadgeCheck,
  friend_joined: UserPlus,
  friend_completed: Gift,
  graduated: GraduationCap,
  likes: Heart,
  super_like_received: Star,
  request_received: MessageCircle,
  post_published: Newspaper,
  comment_received: MessageSquare,
  reply_received: Reply,
  post_rejected: FilePen,
  badge_earned: Award,
  together_invited: HeartHandshake,
  consent_asked: ImagePlus,
  date_proposed: CalendarHeart,
  date_accepted: CalendarCheck,
  date_declined: CalendarX,
  date_cancelled: CalendarX,
  date_soon: CalendarClock,
  graduation_asked: GraduationCap,
  graduation_accepted: GraduationCap,
  graduation_declined: GraduationCap,
  graduation_rejected: GraduationCap,
  verification_approved: BadgeCheck,
  verification_rejected: BadgeX,
  profile_accepted: UserCheck,
  profile_declined: UserX,
  photo_accepted: Camera,
  photo_declined: Camera,
  report_decided: Flag,
  warned: ShieldAlert,
  parts_removed: ShieldAlert,
  warned_parts_removed: ShieldAlert,
  suspended: ShieldAlert,
  suspended_parts_removed: ShieldAlert,
  reviewed: ShieldAlert,
  reinstated: ShieldCheck,
  appeal_upheld: ShieldAlert,
  appeal_lifted: ShieldCheck,
  new_sign_in: KeyRound,
  password_set: KeyRound,
  passkey_added: KeyRound,
  email_change: Mail,
  more_near: MapPin,
};

type ItemRowProps = {
  item: ActivityItem;
  isUnread?: boolean;
  onOpen?: () => void;
};

/** An entry of the activity or of the notifications; the row is a link to what it is about. */
export function ItemRow({ item, isUnread = false, onOpen }: ItemRowProps) {
  // A newer server may send kinds that this version does not know.
  const Icon = icons[item.kind] ?? Bell;
  const content = (
    <>
      <span className="relative grid size-12 shrink-0 place-items-center rounded-full bg-raised">
        {item.user ? (
          <Avatar user={item.user} />
        ) : (
          <Icon aria-hidden="true" className="size-5.5 text-ember" />
        )}
        {item.user && (
          <span className="absolute -inset-e-1 -bottom-1 grid size-6 place-items-center rounded-full border-2 border-surface bg-ember-soft">
            <Icon aria-hidden="true" className="size-3.5 text-ember-strong" strokeWidth={2} />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className={cn('block wrap-break-word', isUnread ? 'font-semibold' : 'font-medium')} dir="auto">
          {isUnread && <span className="sr-only">Unread: </span>}
          {item.text}
        </span>
        <RelativeTime className="block text-muted text-sm" value={item.at} />
      </span>
      {isUnread && (
        <span aria-hidden="true" className="size-[min(0.625rem,2.5vw)] shrink-0 rounded-full bg-ember" />
      )}
    </>
  );
  // With large text on a narrow screen, the space between gets smaller before words break.
  const row = 'flex min-h-18 items-center gap-[min(1rem,4vw)] px-[min(1.25rem,5vw)] py-3';
  return (
    <li className={cn(isUnread && 'bg-ember-soft/40')}>
      {item.path ? (
        <Link className={cn(row, 'hover:bg-raised')} onClick={onOpen} to={item.path} viewTransition>
          {content}
        </Link>
      ) : (
        <span className={row}>{content}</span>
      )}
    </li>
  );
}
