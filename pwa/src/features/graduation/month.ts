const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns "March 2026", in UTC like the text that the server writes into the document. */
export const formatMonth = (value: string): string => month.format(new Date(value));
