import { Heart, MessageCircle, Star, X } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { LikeType, PublicMember } from '@/api/types.ts';
import { pass } from '@/features/discovery/likeAndPass.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { MatchRow } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink } from '@/ui';

type DecisionBarProps = {
  member: PublicMember;
  /** The like given on this page, to the member or one of their photos and answers. */
  liked: LikeType | undefined;
  onLike: (likeType: LikeType) => void;
};

type MemberActionsProps = DecisionBarProps & {
  /** The match with the member; null without one, undefined until that is known. */
  match: MatchRow | null | undefined;
};

/** The actions on another member's page: a message to a match; a message request, like, super like or pass for others. */
export function MemberActions({ match, member, ...decisionProps }: MemberActionsProps) {
  // The height of either bar.
  if (match === undefined) return <div className="h-11" />;
  if (match) {
    return (
      <ButtonLink block to={paths.conversation(match.id)}>
        <MessageCircle aria-hidden="true" className="size-5" />
        Message {member.firstName}
      </ButtonLink>
    );
  }
  return <DecisionBar member={member} {...decisionProps} />;
}

function DecisionBar({ member, liked, onLike }: DecisionBarProps) {
  const db = useDb();
  const navigate = useNavigate();

  async function passOn() {
    const stored = await pass(db, member).then(
      () => true,
      () => false,
    );
    if (stored) await navigate(paths.discover, { viewTransition: true });
  }

  return (
    <div className="@container grid grid-cols-[auto_1fr_auto_1fr] gap-1.5 min-[360px]:gap-2">
      <ButtonLink
        aria-label={`Message ${member.firstName}`}
        className="@max-[12rem]:px-1 px-3"
        size="sm"
        to={paths.conversation(member.id)}
        variant="secondary"
      >
        <MessageCircle aria-hidden="true" className="size-5" />
      </ButtonLink>
      <Button
        className="@max-[12rem]:px-1 gap-1.5 whitespace-nowrap px-2"
        disabled={liked !== undefined}
        onClick={passOn}
        size="sm"
        variant="secondary"
      >
        <X aria-hidden="true" className="size-5 shrink-0" />
        <Label>Pass</Label>
      </Button>
      <Button
        className="@max-[12rem]:px-1 gap-1.5 whitespace-nowrap px-2"
        disabled={liked !== undefined}
        onClick={() => onLike('super_like')}
        size="sm"
        variant="secondary"
      >
        <Star aria-hidden="true" className="size-5 shrink-0 text-marigold-ink" />
        <Label>{liked === 'super_like' ? 'Super Liked' : 'Super Like'}</Label>
      </Button>
      <Button
        className="@max-[12rem]:px-1 gap-1.5 whitespace-nowrap px-2"
        disabled={liked !== undefined}
        onClick={() => onLike('like')}
        size="sm"
      >
        <Heart aria-hidden="true" className="size-5" />
        <Label>{liked === 'like' ? 'Liked' : 'Like'}</Label>
      </Button>
    </div>
  );
}

/** The label of a decision; a bar that is narrow for its text shows only the icons. */
const Label = ({ children }: { children: string }) => (
  <span className="@max-[19rem]:sr-only">{children}</span>
);
