import { button, type Tab } from './tab.ts';

export const CHOOSE_PICTURES = 'input[aria-label="Choose pictures"]';

/** Presses the action of the menu beside the text field that chooses pictures; the picker of the system cannot be used. */
export async function openPicker(tab: Tab): Promise<void> {
  await tab.engine.call(() => {
    HTMLInputElement.prototype.click = () => undefined;
  });
  await tab.click(button('Add a picture, a video or more'));
  await tab.click(button('Pictures'));
}
