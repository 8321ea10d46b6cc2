/** The width of an icon's lines in units of its 24 × 24 grid, for all icons that state no other. */
export const iconStroke = 1.75;
