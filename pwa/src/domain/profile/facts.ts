import { Baby, Briefcase, GraduationCap, type LucideIcon, Ruler, UserRound } from 'lucide-react';
import type { PublicMember, WordList } from '@/api/types.ts';
import { type FactLine, townFact } from './cardFacts.ts';
import { childrenText, educations, genders, heightText } from './labels.ts';
import { visitText } from './visit.ts';
import { wordLists } from './wordLists.ts';
import { wordListNames, wordsOf } from './words.ts';

export type FactView = 'more' | 'profile';

type Fact = { icon: LucideIcon; views: readonly FactView[]; text: (member: PublicMember) => string };

/** Public fields that are shown elsewhere, as part of another field's fact, or not at all; and the word lists. */
type WithoutFact =
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
  | 'badgeTier'
  | 'profileTheme'
  | 'profileFrame'
  | 'isFeatured'
  | WordList;

const everywhere: readonly FactView[] = ['more', 'profile'];

/** Every public field, except the word lists, that is shown as a line with an icon, in the order of the lines. */
const facts: Record<Exclude<keyof PublicMember, WithoutFact>, Fact> = {
  city: { ...townFact, views: everywhere },
  visit: { icon: townFact.icon, views: everywhere, text: (member) => visitText(member) },
  occupation: { icon: Briefcase, views: everywhere, text: ({ occupation }) => occupation },
  education: {
    icon: GraduationCap,
    views: everywhere,
    text: ({ education }) => (education ? educations[education] : ''),
  },
  heightCm: {
    icon: Ruler,
    views: everywhere,
    text: ({ heightCm }) => (heightCm ? heightText(heightCm) : ''),
  },
  gender: { icon: UserRound, views: ['profile'], text: ({ gender }) => (gender && genders[gender]) ?? '' },
  hasChildren: { icon: Baby, views: everywhere, text: childrenText },
};

/** Returns a member's facts as lines, without empty ones. */
export function factsOf(member: PublicMember, view: FactView): FactLine[] {
  const words = wordListNames.flatMap((name): FactLine[] => {
    const { icon, shownAs } = wordLists[name];
    return icon ? [{ icon, text: wordsOf(member, name).join(', '), label: shownAs }] : [];
  });
  const lines = Object.values(facts)
    .filter(({ views }) => views.includes(view))
    .map(({ icon, text }) => ({ icon, text: text(member) }));
  return [...lines, ...words].filter(({ text }) => text !== '');
}
