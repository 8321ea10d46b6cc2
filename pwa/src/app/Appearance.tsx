import { Check, Heart, Moon, Sun, UtensilsCrossed } from 'lucide-react';
import { Button, cn, toast } from '@/ui';
import { nextTheme, setTheme, type Theme, themes, useTheme } from './theme.ts';

const themeTexts: Record<Theme, { name: string; text: string; icon: typeof Sun }> = {
  light: { name: 'Light', text: 'Warm paper', icon: Sun },
  dark: { name: 'Dark', text: 'A late evening', icon: Moon },
  taco: { name: 'Taco', text: 'With extra cheddar', icon: UtensilsCrossed },
};

function selectTheme(theme: Theme): void {
  setTheme(theme);
  toast({ title: 'Settings saved', description: `${themeTexts[theme].name} theme` });
}

/** The theme of this device: a button that cycles through the themes, and a preview of each. */
export function Appearance() {
  const theme = useTheme();
  const { icon: Icon, name } = themeTexts[theme];
  const next = nextTheme(theme);
  return (
    <section aria-labelledby="appearance-title" className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="font-display font-semibold text-lg" id="appearance-title">
            Theme
          </h2>
          <p className="mt-1 flex items-center gap-2 text-muted">
            <Icon aria-hidden="true" className="size-5" />
            {name}, on this device
          </p>
        </div>
        <Button onClick={() => selectTheme(next)} variant="secondary">
          Switch to {themeTexts[next].name.toLowerCase()}
        </Button>
      </div>
      <fieldset className="mt-5 grid min-w-0 grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4">
        <legend className="sr-only">Preview</legend>
        {themes.map((each) => (
          <Preview selected={each === theme} key={each} theme={each} />
        ))}
      </fieldset>
    </section>
  );
}

/** A sample card in a theme's colours; a tap selects the theme. */
function Preview({ theme, selected }: { theme: Theme; selected: boolean }) {
  const { name, text } = themeTexts[theme];
  return (
    <button
      aria-pressed={selected}
      className={cn('rounded-card text-start', selected && 'outline-2 outline-ember outline-offset-2')}
      onClick={() => selectTheme(theme)}
      type="button"
    >
      <span className="block rounded-card border border-line bg-paper p-3 text-ink" data-theme={theme}>
        <span className="card flex flex-wrap items-center gap-3 p-3">
          <span
            aria-hidden="true"
            className="grid size-10 shrink-0 place-items-center rounded-full bg-plum-soft font-display font-semibold text-lg text-plum"
          >
            M
          </span>
          <span className="min-w-[min(100%,4.5rem)] flex-1">
            <span className="block font-display font-semibold">{name}</span>
            <span className="block truncate text-muted text-xs">{text}</span>
          </span>
          {selected && <Check aria-hidden="true" className="size-5 shrink-0 text-sage" strokeWidth={2.25} />}
        </span>
        <span className="mt-3 flex gap-2">
          <span className="grid h-8 flex-1 place-items-center rounded-control bg-ember text-on-ember">
            <Heart aria-hidden="true" className="size-4" />
          </span>
          <span className="h-8 flex-1 rounded-control bg-ember-soft" />
          <span className="h-8 flex-1 rounded-control bg-marigold-soft" />
        </span>
      </span>
    </button>
  );
}
