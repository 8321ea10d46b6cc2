import { expect, it } from 'vitest';
import type { DayFigures, Exposure } from '@/api/types.ts';
import {
  dailyCharts,
  describePoint,
  describeTotal,
  formatSeconds,
  hasValues,
  isEmpty,
  weeklyCharts,
} from './figures.ts';

const nothing: Omit<DayFigures, 'day'> = {
  signUps: null,
  activeMembers: null,
  matches: null,
  messages: null,
  reports: null,
  actionMedianSeconds: null,
  actionP95Seconds: null,
};
const days: DayFigures[] = [
  { day: '2026-11-22', ...nothing },
  {
    day: '2026-11-23',
    ...nothing,
    signUps: 1200,
    matches: 0,
    actionMedianSeconds: 90,
    actionP95Seconds: 7200,
  },
  { day: '2026-11-24', ...nothing, signUps: 34, matches: 0 },
];
const week: Exposure = {
  week: '2026-11-23',
  members: 8,
  neverShown: 3,
  gini: 0.4567,
  isFinal: false,
  countedAt: '2026-11-24T10:00:00Z',
};

const describeAll = (chart: ReturnType<typeof dailyCharts>[number]) =>
  chart.points.map((point) => describePoint(chart, point));

it('writes the figures of each UTC day, also of one that was not counted', () => {
  const charts = dailyCharts(days);
  const [signUps, active, matches] = charts;
  const action = charts.at(-1);
  if (!signUps || !active || !matches || !action) throw new Error('a chart is missing');
  expect(describeAll(signUps)).toEqual(['Nov 22: no figure', 'Nov 23: 1,200', 'Nov 24: 34']);
  expect(describeTotal(signUps)).toBe('Total 1,234');
  expect(describeTotal(active)).toBe('');
  expect(describeAll(action)[1]).toBe('Nov 23: 95 of 100 within 2 h, Median 2 min');
  expect([signUps, active, matches, action].map(hasValues)).toEqual([true, false, false, true]);
});

it('writes the exposure of each week', () => {
  const charts = weeklyCharts([{ ...week, members: 0, neverShown: 0, gini: null }, week]);
  expect(charts.map(describeAll)).toEqual([
    ['Week of Nov 23: no figure', 'Week of Nov 23: 37.5%'],
    ['Week of Nov 23: no figure', 'Week of Nov 23: 0.46'],
  ]);
});

it('is empty without a figure above 0', () => {
  expect(isEmpty({ days: [{ day: '2026-11-24', ...nothing, signUps: 0 }], weeks: [], outcomes: [] })).toBe(
    true,
  );
  expect(isEmpty({ days, weeks: [], outcomes: [] })).toBe(false);
});

it.each([
  [0, '0 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [3569, '59 min'],
  [3600, '1 h'],
  [5400, '1.5 h'],
  [172_800, '2 days'],
])('%d seconds are written as %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));
