import type { Education, Gender, Religion } from '@/api/types.ts';

/** The labels of the API's values. */
export const educations: Record<Education, string> = {
  high_school: 'High school',
  some_college: 'Some college',
  bachelors: "Bachelor's degree",
  masters: "Master's degree",
  doctorate: 'Doctorate',
};

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

export const genders: Record<Gender, string> = {
  woman: 'Woman',
  man: 'Man',
  nonbinary: 'Nonbinary',
  other: 'Another gender',
};

/** The labels of the genders that a member wants to see. */
export const genderPlurals: Record<Gender, string> = {
  woman: 'Women',
  man: 'Men',
  nonbinary: 'Nonbinary people',
  other: 'People of another gender',
};

/** Returns `173 cm (5′8″)` for 173. */
export function heightText(cm: number): string {
  const inches = Math.round(cm / 2.54);
  return `${cm} cm (${Math.floor(inches / 12)}′${inches % 12}″)`;
}

type Children = { hasChildren: boolean | null; wantsChildren: boolean | null };

/** Returns "No children, wants children"; empty without an answer. */
export function childrenText({ hasChildren, wantsChildren }: Children): string {
  const has = hasChildren === null ? '' : hasChildren ? 'Has children' : 'No children';
  const wants = wantsChildren === null ? '' : wantsChildren ? 'wants children' : 'does not want children';
  const text = [has, wants].filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
