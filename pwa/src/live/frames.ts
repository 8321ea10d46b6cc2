import type { CodedError, LikeType, Message, UserCard } from '@/api/types.ts';

/** The kinds of sparks; the server detects each once in a conversation. */
export type Spark = 'message_spark' | 'voice_connection';

/** The frames of the server. Each may be lost: everything in them that is stored can also be fetched over HTTP. */
export type ServerFrame =
  | { type: 'identified'; userId: string }
  | { type: 'auth_success'; userId: string }
  | { type: 'online_users'; users: string[] }
  | ({ type: 'new_message'; recipientId: string } & Message)
  | { type: 'ack'; clientId: string; id: string; seq: number; sentAt: string; conversationId: string }
  | ({ type: 'error'; clientId?: string; kind: string; detail: string } & CodedError)
  | { type: 'user_typing'; userId: string; isTyping: boolean; conversationId: string }
  | { type: 'user_status_changed'; userId: string; isOnline: boolean; lastSeen: string | null }
  | { type: 'message_read'; conversationId: string; readBy: string; seq: number; readAt: string }
  | { type: 'message_delivered'; conversationId: string; deliveredTo: string; seq: number }
  | { type: 'message_changed'; message: Message }
  | { type: 'spark'; spark: Spark; conversationId: string; userId: string; at: string }
  | MatchFrame
  | { type: 'like_received' | 'super_like'; likeId: string; user: UserCard }
  | { type: 'unmatched'; matchId: string | null; conversationId: string | null; userId: string }
  | { type: 'date_changed'; dateId: string; conversationId: string }
  /** The town in which the member looks was changed, perhaps on another device. */
  | { type: 'town_changed' }
  /** A moderator has decided on the member's profile or first photo. */
  | { type: 'review_decided' }
  /** The member's couple, or a request to the member, has changed. */
  | { type: 'graduation_changed' }
  /** The Legacy Wall has changed. */
  | { type: 'wall_changed' }
  /** The member's Love Pulse, or what the couple shares, has changed. */
  | { type: 'pulse_changed' }
  /** What the member has read of the notifications, or one that no other frame is about, has changed. */
  | { type: 'notifications_changed' }
  /** The member has earned a badge, or closed a celebration on another device. */
  | { type: 'badges_changed' }
  /** The member's moments, or the requests to show the member in others', have changed. */
  | { type: 'moments_changed' }
  /** The member's address takes no mail, or takes mail again. */
  | { type: 'mail_problem_changed' }
  | { type: 'sync' }
  | { type: 'pong' };

type MatchFrame = {
  type: 'match';
  matchId: string;
  conversationId: string;
  /** Undefined if the server is older than this build. */
  matchedAt?: string;
  user: UserCard;
  /** The type of that member's like. */
  likeType: LikeType;
};

/** The frames of the app. Messages and receipts are sent through the outbox, over HTTP. */
export type ClientFrame =
  | { type: 'get_online_users' }
  | { type: 'typing_start'; recipientId: string }
  | { type: 'typing_stop'; recipientId: string }
  | { type: 'ping' };

export type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** Returns the frame, or null if the data is not a frame. A frame of an unknown type is returned too; it has no listeners. */
export function parseFrame(data: unknown): ServerFrame | null {
  if (typeof data !== 'string') return null;
  try {
    const frame: unknown = JSON.parse(data);
    const typed =
      typeof frame === 'object' && frame !== null && 'type' in frame && typeof frame.type === 'string';
    return typed ? (frame as ServerFrame) : null;
  } catch {
    return null;
  }
}
