/** What the screen of the figures shows: the charts, their values and how these are written. */

import type { DayFigures, Exposure, KeyFigures } from '@/api/types.ts';
import { dateFormat, formatCount, formatDecimal, formatPercent } from '@/base/format.ts';

/** A point in time of a chart, with a value for each series; null if there is none. */
export type Point = { label: string; values: (number | null)[] };

export type Chart = {
  title: string;
  /** One sentence on what is counted. */
  hint: string;
  /** The names of the series. The values of a later one are never greater. */
  series: string[];
  points: Point[];
  format: (value: number) => string;
  /** The value at the top; by default the greatest one. */
  top?: number;
  /** The values can be added up. */
  isSum?: boolean;
};

const date = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const formatGini = (value: number) => value.toFixed(2);

/** Returns "45 s", "12 min", "3.5 h" or "2.1 days". */
export function formatSeconds(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (seconds < 59.5 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${formatDecimal(seconds / 3600)} h`;
  return `${formatDecimal(seconds / 86_400)} days`;
}

/** Returns "Nov 24" for a date of the API. */
const formatUtcDay = (day: string): string => date.format(new Date(day));

const neverShownShare = ({ members, neverShown }: Exposure): number | null =>
  members > 0 ? neverShown / members : null;

type CountKey = 'signUps' | 'activeMembers' | 'matches' | 'messages' | 'reports';

const countCharts: { key: CountKey; title: string; hint: string; isSum: boolean }[] = [
  { key: 'signUps', title: 'Sign-ups', hint: 'Accounts created on the day.', isSum: true },
  {
    key: 'activeMembers',
    title: 'Active members',
    hint: 'Members who signed up or used the app on the day.',
    isSum: false,
  },
  { key: 'matches', title: 'Matches', hint: 'Matches that began on the day.', isSum: true },
  { key: 'messages', title: 'Messages', hint: 'Messages sent on the day.', isSum: true },
  { key: 'reports', title: 'Reports', hint: 'Reports that arrived on the day.', isSum: true },
];

/** Returns the charts with a point for each day. */
export function dailyCharts(days: DayFigures[]): Chart[] {
  const labels = days.map(({ day }) => formatUtcDay(day));
  const pointsOf = (values: (day: DayFigures) => (number | null)[]): Point[] =>
    days.map((day, index) => ({ label: labels[index] ?? '', values: values(day) }));
  return [
    ...countCharts.map(
      ({ key, title, hint, isSum }): Chart => ({
        title,
        hint,
        isSum,
        series: [title],
        points: pointsOf((day) => [day[key]]),
        format: formatCount,
      }),
    ),
    {
      title: 'Time to action',
      hint: 'From a report to its decision, of the reports decided on the day.',
      series: ['95 of 100 within', 'Median'],
      points: pointsOf((day) => [day.actionP95Seconds, day.actionMedianSeconds]),
      format: formatSeconds,
    },
  ];
}

/** Returns the charts with a point for each week. */
export function weeklyCharts(weeks: Exposure[]): Chart[] {
  const pointsOf = (value: (week: Exposure) => number | null): Point[] =>
    weeks.map((week) => ({ label: `Week of ${formatUtcDay(week.week)}`, values: [value(week)] }));
  return [
    {
      title: 'Shown to nobody',
      hint: 'Share of the members who can be shown to everyone, and were not shown to anyone in the week.',
      series: ['Shown to nobody'],
      points: pointsOf(neverShownShare),
      format: formatPercent,
      top: 1,
    },
    {
      title: 'Inequality of showings',
      hint: 'Gini coefficient: 0 if all members were shown equally often, near 1 if a few were shown nearly every time.',
      series: ['Gini coefficient'],
      points: pointsOf(({ gini }) => gini),
      format: formatGini,
      top: 1,
    },
  ];
}

/** Returns whether there is anything to see: a value above 0. */
export const hasValues = ({ points }: Chart): boolean =>
  points.some(({ values }) => values.some((value) => value !== null && value > 0));

/** Returns the values of a point as a sentence: "Nov 24: 12", or with the names of several series. */
export function describePoint({ series, format }: Chart, { label, values }: Point): string {
  const texts = values.map((value, index) => {
    if (value === null) return null;
    return series.length > 1 ? `${series[index]} ${format(value)}` : format(value);
  });
  return `${label}: ${texts.filter((text) => text !== null).join(', ') || 'no figure'}`;
}

/** Returns "Total 12", or an empty text if the values cannot be added up. */
export function describeTotal({ isSum, points, format }: Chart): string {
  if (!isSum) return '';
  return `Total ${format(points.reduce((sum, { values }) => sum + (values[0] ?? 0), 0))}`;
}

/** Returns whether there are no figures at all, as on a new site. */
export const isEmpty = ({ days, weeks }: KeyFigures): boolean =>
  ![...dailyCharts(days), ...weeklyCharts(weeks)].some(hasValues);
