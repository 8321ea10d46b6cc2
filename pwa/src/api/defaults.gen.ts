// Generated from openapi.json by `npm run schema`.
import type { FilterSet, NotificationSettings, PulseQuestion, WordList } from './types.ts';

/** The filters of a member who has saved none. */
export const filterDefaults: FilterSet = {"interestedIn":[],"ageRange":[18,65],"location":{"maxDistance":50,"sameState":false,"city":""},"height":{"minCm":null,"maxCm":null},"intentionTags":[],"lifestyle":{"hasChildren":null,"wantsChildren":null,"education":null,"religion":null},"compatibility":{"minCompatibilityScore":0,"prioritizeNewUsers":false,"featuredOnly":false,"recentlyActive":true},"lastActiveWithin":"1w","profileCompleteness":0,"hasVoiceGreeting":false,"hasVideoIntroduction":false,"verifiedOnly":false,"personalityTraits":[],"lifestylePreferences":[],"relationshipGoals":[],"pronouns":[],"languages":[],"drinking":[],"smoking":[],"pets":[],"mlRecommendations":false};

/** The settings of a member who has saved none. */
export const notificationDefaults: NotificationSettings = {"messages":true,"matches":true,"likes":true,"community":true,"graduation":true,"badges":true,"digest":true,"pulse":false,"pulseTime":"20:00","sound":true,"vibration":true,"quietFrom":null,"quietTo":null,"privateMail":false,"discreetMail":false,"timeZone":"UTC","autoplayVoice":true,"autoplayVideo":false,"downloadForOffline":true,"highQualityMedia":true,"voiceMessageNotifications":true,"videoMessageNotifications":true};

/** How many words of each list a member can choose. */
export const maxWords: Record<WordList, number> = {"drinking":1,"languages":10,"lifestylePreferences":10,"personalityTraits":10,"pets":6,"pronouns":4,"relationshipGoals":6,"smoking":1};

/** The questions of the Love Pulse in the order of the days. */
export const pulseQuestions: readonly PulseQuestion[] = ["What brought you joy today?","How did you show love to yourself today?","What are you grateful for today?","What is your intention for tomorrow?","How did you connect with others today?","When did you feel most alive today?","What challenged you to grow today?"];
