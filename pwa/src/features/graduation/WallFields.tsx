import { Check } from 'lucide-react';
import { MAX_GRADUATE_PICTURES } from '@/api/limits.gen.ts';
import { cn, Photo, Switch } from '@/ui';
import type { WallConsent } from './graduation.ts';

type Choosable = { id: string; thumbUrl: string; placeholder: string };

type WallFieldsProps = {
  value: WallConsent;
  onChange: (value: WallConsent) => void;
  /** The pictures to choose from. */
  pictures: Choosable[];
  /** The label of the pictures. */
  label?: string;
};

/** The member's consent to the wall, and the own pictures on it. */
export function WallFields({
  value,
  onChange,
  pictures,
  label = `Your pictures on the wall, up to ${MAX_GRADUATE_PICTURES}`,
}: WallFieldsProps) {
  const { showOnLegacyWall, pictures: chosen } = value;
  const isFull = chosen.length >= MAX_GRADUATE_PICTURES;

  function toggle(id: string) {
    const next = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
    onChange({ ...value, pictures: next });
  }

  return (
    <div className="flex flex-col gap-4">
      <Switch
        checked={showOnLegacyWall}
        hint="Everyone can read the wall. It shows your first names, your words and the pictures that you choose, while both of you want it."
        label="Show us on the Legacy Wall"
        onChange={(checked) => onChange({ ...value, showOnLegacyWall: checked })}
      />
      {showOnLegacyWall && pictures.length > 0 && (
        <fieldset>
          <legend className="font-medium text-sm">{label}</legend>
          <ul className="mt-2 grid grid-cols-3 gap-2 sm:grid-cols-4">
            {pictures.map((picture, index) => {
              const isChosen = chosen.includes(picture.id);
              return (
                <li key={picture.id}>
                  <button
                    aria-label={`Picture ${index + 1}`}
                    aria-pressed={isChosen}
                    className={cn(
                      'relative block w-full overflow-hidden rounded-control border-2 disabled:opacity-60',
                      isChosen ? 'border-ember' : 'border-transparent',
                    )}
                    disabled={!isChosen && isFull}
                    onClick={() => toggle(picture.id)}
                    type="button"
                  >
                    <Photo alt="" placeholder={picture.placeholder} ratio="1/1" src={picture.thumbUrl} />
                    {isChosen && (
                      <span className="absolute top-1.5 inset-e-1.5 grid size-6 place-items-center rounded-full bg-ember text-on-ember">
                        <Check aria-hidden="true" className="size-4" strokeWidth={2.5} />
                      </span>
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
        </fieldset>
      )}
    </div>
  );
}
