import { Baby, Briefcase, GraduationCap, type LucideIcon, MapPin, Ruler, UserRound } from 'lucide-react';
import { childrenText, educations, genders, heightText } from './labels.ts';
import type { PublicMember, WordList } from './types.ts';
import { wordListNames, wordLists, wordsOf } from './wordLists.ts';

export type FactView = 'card' | 'more' | 'profile';

type Fact = { icon: LucideIcon; views: readonly FactView[]; text: (member: PublicMember) => string };

/** Public fields that a profile shows elsewhere, or as part of another field's fact. */
type ShownElsewhere =
  | '$schema'
  | 'id'
  | 'firstName'
  | 'fullName'
  | 'age'
  | 'state'
  | 'wantsChildren'
  | 'bio'
  | 'loveReflection'
  | 'intentionTags'
  | 'prompts'
  | 'photos'
  | 'profilePhotos'
  | 'profileImageUrl'
  | 'headerBannerImage'
  | 'audioGreeting'
  | 'videoGreeting'
  | 'galleryImages'
  | 'galleryVideos'
  | 'isVerified'
  | 'isPremium'
  | 'isFeatured'
  | WordList;

const everywhere: readonly FactView[] = ['card', 'more', 'profile'];
/** A card has one line for facts, and shows only the town and the pronouns. */
const inDetail: readonly FactView[] = ['more', 'profile'];

/** Every public field that is shown as a line with an icon, in the order of the lines. */
const facts: Record<Exclude<keyof PublicMember, ShownElsewhere>, Fact> = {
  city: {
    icon: MapPin,
    views: everywhere,
    text: ({ city, state }) => [city, state].filter(Boolean).join(', '),
  },
  occupation: { icon: Briefcase, views: inDetail, text: ({ occupation }) => occupation },
  education: {
    icon: GraduationCap,
    views: inDetail,
    text: ({ education }) => (education ? educations[education] : ''),
  },
  heightCm: {
    icon: Ruler,
    views: inDetail,
    text: ({ heightCm }) => (heightCm ? heightText(heightCm) : ''),
  },
  gender: { icon: UserRound, views: ['profile'], text: ({ gender }) => (gender && genders[gender]) ?? '' },
  hasChildren: { icon: Baby, views: inDetail, text: childrenText },
};

/** Returns a member's facts as lines with an icon, without empty ones. */
export function factsOf(member: PublicMember, view: FactView): { icon: LucideIcon; text: string }[] {
  const words = wordListNames.flatMap((name) => {
    const { icon } = wordLists[name];
    return icon ? [{ icon, text: wordsOf(member, name).join(', ') }] : [];
  });
  const lines = Object.values(facts)
    .filter(({ views }) => views.includes(view))
    .map(({ icon, text }) => ({ icon, text: text(member) }));
  return [...lines, ...words].filter(({ text }) => text !== '');
}
