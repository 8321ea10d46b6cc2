import type { Education, Religion } from './types.ts';

/** The API's values in the words they are shown in. */
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

export const genders: Record<string, string> = {
  woman: 'Woman',
  man: 'Man',
  nonbinary: 'Nonbinary',
  other: 'Another gender',
};

/** 173 → `173 cm (5′8″)`. */
export function heightText(cm: number): string {
  const inches = Math.round(cm / 2.54);
  return `${cm} cm (${Math.floor(inches / 12)}′${inches % 12}″)`;
}

type Children = { hasChildren: boolean | null; wantsChildren: boolean | null };

/** "No children, wants children"; empty where nothing was answered. */
export function childrenText({ hasChildren, wantsChildren }: Children): string {
  const has = hasChildren === null ? '' : hasChildren ? 'Has children' : 'No children';
  const wants = wantsChildren === null ? '' : wantsChildren ? 'wants children' : 'does not want children';
  const text = [has, wants].filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
