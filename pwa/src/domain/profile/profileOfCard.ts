import type { MemberCard, PublicMember } from '@/api/types.ts';
import { noWords } from './words.ts';

/** Returns a profile with the fields of a card; all others are empty. */
export function profileOfCard(card: MemberCard): PublicMember {
  return {
    ...noWords,
    id: card.id,
    firstName: card.firstName,
    fullName: card.fullName,
    age: card.age,
    city: card.city,
    state: card.state,
    visit: card.visit,
    bio: card.bio,
    loveReflection: card.loveReflection,
    intentionTags: card.intentionTags,
    occupation: card.occupation,
    pronouns: card.pronouns,
    photos: card.photos,
    profileImageUrl: card.profileImageUrl,
    isVerified: card.isVerified,
    isPremium: card.isPremium,
    education: null,
    hasChildren: null,
    wantsChildren: null,
    gender: null,
    heightCm: null,
    prompts: [],
    profilePhotos: [],
    badgeTier: 0,
    profileTheme: null,
    profileFrame: null,
    isFeatured: false,
    headerBannerImage: null,
    audioGreeting: null,
    videoGreeting: null,
    galleryImages: [],
    galleryVideos: [],
  };
}
