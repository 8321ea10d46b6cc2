import type { Me, Religion } from '@/api/types.ts';

/** The options of the profile, with the words they are shown in. */
export const religions: Record<Religion, string> = {
  christian: 'Christian',
  jewish: 'Jewish',
  muslim: 'Muslim',
  hindu: 'Hindu',
  buddhist: 'Buddhist',
  spiritual: 'Spiritual',
  agnostic: 'Agnostic',
  atheist: 'Atheist',
  other: 'Other',
};

export const genders: Record<string, string> = {
  woman: 'Woman',
  man: 'Man',
  nonbinary: 'Nonbinary',
  other: 'Another gender',
};

export const interests: Record<string, string> = {
  woman: 'Women',
  man: 'Men',
  nonbinary: 'Nonbinary people',
  other: 'People of another gender',
};

export const promptQuestions = [
  'A perfect slow morning',
  'I feel most at home when',
  'Something I learned late',
  'The way to my heart is',
  'I am looking for someone who',
  'My friends would say that I',
  'A small thing I am grateful for',
  'Together we could',
  'I could talk for hours about',
  'My favorite kind of quiet',
];

/** What the profile still lacks, as something to do. */
const missingWords: Record<string, string> = {
  photos: 'a photo',
  bio: 'a few words about you',
  loveReflection: 'what love means to you',
  intentionTags: 'your intentions',
  prompts: 'a prompt',
  city: 'your town',
  occupation: 'what you do',
  education: 'your education',
  hasChildren: 'whether you have children',
  wantsChildren: 'whether you want children',
};

/** "Still missing: a photo, a prompt and what you do." */
export function missingSentence(missing: Me['completeness']['missing']): string {
  const words = missing.map((field) => missingWords[field] ?? field);
  return `Still missing: ${new Intl.ListFormat('en-US', { type: 'conjunction' }).format(words)}.`;
}
