/** The direction in which a line is read: for code that compares or sets positions from left to right. */

/** Returns 1 if a line begins at the left, as in English, and -1 if it begins at the right, as in Arabic. */
export const lineSign = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1);

const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** Returns the key that means the same in English: the left arrow points onwards if a line begins at the right. */
export const lineKey = (key: string): string => (lineSign() < 0 && mirrored[key]) || key;
