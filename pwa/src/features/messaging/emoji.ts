/** The six that say most of what is said by a tap. */
export const QUICK = ['❤️', '😂', '😍', '👍', '😮', '😢'] as const;

// Written out by what emoji are made of (UTS 51, ED-15a): their whole list takes a reader of messages too long to
// make ready, and asking for it or for graphemes would leave out browsers that we promise to serve.
const FLAG = String.raw`\p{RI}\p{RI}`;
const KEYCAP = String.raw`[\d#*]\u{fe0f}?\u{20e3}`;
const LOOK = String.raw`[\u{fe0f}\p{Emoji_Modifier}]`;
const ALONE = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=${LOOK}))${LOOK}?[\u{e0020}-\u{e007f}]*`;
const JOINED = String.raw`(?:\u{200d}\p{Extended_Pictographic}${LOOK}?)*`;
const ONE = `(?:${FLAG}|${KEYCAP}|${ALONE}${JOINED})`;

const EACH = new RegExp(ONE, 'gu');
const FEW = new RegExp(String.raw`^(?:\s*${ONE}){1,3}\s*$`, 'u');
const LONGEST = 120;

/** One to three of them and nothing else: they say it larger. */
export const isFewEmoji = (text: string): boolean => text.length <= LONGEST && FEW.test(text);

/** The last emoji of what was typed on the device's own keyboard; null when there is none. */
export const lastEmoji = (text: string): string | null => text.match(EACH)?.at(-1) ?? null;
