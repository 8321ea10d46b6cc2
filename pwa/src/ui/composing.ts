import type { KeyboardEvent } from 'react';

/**
 * Whether a key belongs to an input method: Enter then picks a candidate and must not submit. Safari dispatches
 * `compositionend` before this `keydown`, so there `isComposing` is already false and only the key code 229 shows it.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
