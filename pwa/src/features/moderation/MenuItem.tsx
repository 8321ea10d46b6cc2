import type { LucideIcon } from 'lucide-react';

type MenuItemProps = { icon: LucideIcon; label: string; text: string; onClick: () => void };

/** An action of a menu with what follows from it. */
export function MenuItem({ icon: Icon, label, text, onClick }: MenuItemProps) {
  return (
    <li>
      <button
        className="flex w-full items-start gap-4 rounded-control px-3 py-3 text-start transition-colors hover:bg-raised"
        onClick={onClick}
        type="button"
      >
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised">
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <span>
          <span className="block font-semibold">{label}</span>
          <span className="block text-muted text-sm">{text}</span>
        </span>
      </button>
    </li>
  );
}
