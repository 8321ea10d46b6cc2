import { dateFormat } from '@/base/format.ts';

const month = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns "March 2026", in UTC like the text that the server writes into the document. */
export const formatMonth = (value: string): string => month.format(new Date(value));
