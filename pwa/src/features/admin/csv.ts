/** Tables as CSV files. */

/** Matches a text that a spreadsheet runs as a formula, by its first character. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns a cell in quotes, with an apostrophe before a text that a spreadsheet would run as a formula. */
function toCell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns the rows as CSV, each with the fields of `columns`, below their names. */
export function toCsv<Row extends Record<Column, string | number | boolean | null>, Column extends string>(
  columns: readonly Column[],
  rows: Row[],
): string {
  const lines = [[...columns], ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

/** Returns a text as a CSV file. */
export const toCsvFile = (name: string, text: string): File =>
  // The byte order mark tells spreadsheets that the encoding is UTF-8.
  new File(['\uFEFF', text], name, { type: 'text/csv;charset=utf-8' });
