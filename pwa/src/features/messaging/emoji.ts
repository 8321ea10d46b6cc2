/** The six most common reactions. */
export const QUICK_EMOJI = ['❤️', '😂', '😍', '👍', '😮', '😢'] as const;

// Written out by the structure of emoji (UTS 51, ED-15a): a regular expression with the whole list takes too long to
// compile, and \p{RGI_Emoji} and Intl.Segmenter are missing in supported browsers.
const FLAG = String.raw`\p{RI}\p{RI}`;
const KEYCAP = String.raw`[\d#*]\u{fe0f}?\u{20e3}`;
const VARIANT = String.raw`[\u{fe0f}\p{Emoji_Modifier}]`;
const SINGLE = String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=${VARIANT}))${VARIANT}?[\u{e0020}-\u{e007f}]*`;
const JOINED = String.raw`(?:\u{200d}\p{Extended_Pictographic}${VARIANT}?)*`;
const EMOJI = `(?:${FLAG}|${KEYCAP}|${SINGLE}${JOINED})`;

const EVERY_EMOJI = new RegExp(EMOJI, 'gu');
const FEW_EMOJI = new RegExp(String.raw`^(?:\s*${EMOJI}){1,3}\s*$`, 'u');
const MAX_LENGTH = 120;

/** Whether the text is one to three emoji and nothing else, which is drawn larger. */
export const isFewEmoji = (text: string): boolean => text.length <= MAX_LENGTH && FEW_EMOJI.test(text);

/** Returns the last emoji of the input, or null. */
export const lastEmoji = (text: string): string | null => text.match(EVERY_EMOJI)?.at(-1) ?? null;
