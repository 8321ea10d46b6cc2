import { useState } from 'react';
import { Button, Dialog, Switch } from '@/ui';
import { areKeysOn, setKeysOn } from './queueKeys.ts';
import { setVeils, useVeils } from './Veil.tsx';

const keys: [key: string, effect: string][] = [
  ['j, k', 'Next or previous row of the list'],
  ['Enter', 'Open the row'],
  ['Escape', 'Back to the list'],
  ['x', 'Select the row, where rows can be selected'],
  ['a, d, h, r, s', 'Decide on the selected rows, by the letter on the button'],
  ['c', 'Clear the selection'],
  ['1, 2, …', 'Choose a decision'],
  ['Ctrl+Enter', 'Send the decision'],
  ['?', 'This list'],
];

/** Lists the keys of the admin screens, with a switch that turns single keys off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areKeysOn);
  const veiled = useVeils();

  function change(next: boolean) {
    setKeysOn(next);
    setOn(next);
  }

  return (
    <Dialog
      actions={
        <Button onClick={onClose} variant="secondary">
          Close
        </Button>
      }
      onClose={onClose}
      open
      title="Keys"
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, effect]) => (
          <div className="contents" key={key}>
            <dt>
              <kbd className="rounded-md bg-raised px-2 py-0.5 font-semibold">{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5">
        <Switch
          checked={on}
          hint="Turn this off if a screen reader or dictation uses single keys itself."
          label="Use single keys"
          onChange={change}
        />
        <Switch
          checked={veiled}
          hint="Pictures and videos are blurred and grey until you press “Show clearly”. This device only."
          label="Blur pictures"
          onChange={setVeils}
        />
      </div>
    </Dialog>
  );
}
