import { useState } from 'react';
import { useKeys } from './queueKeys.ts';

/** The rows of a list that are chosen for one decision: by their boxes, or by x on the focused row. */
export function useSelection(ids: string[], canChoose: (id: string) => boolean = () => true) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  function toggle(id: string) {
    if (!canChoose(id)) return;
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  }
  useKeys({
    x: () => {
      const focused = document.activeElement?.getAttribute('data-row');
      if (focused) toggle(focused);
    },
  });
  return {
    /** Those that are still in the list, in its order. */
    selected: ids.filter((id) => chosen.has(id) && canChoose(id)),
    toggle,
    clear: () => setChosen(new Set()),
  };
}

/** The rows of a list: the open one, the one after it, and those that are chosen for one decision. */
export function useQueueRows<Row extends { id: string }>(
  rows: Row[],
  openId: string | undefined,
  canChoose: (row: Row) => boolean,
) {
  const openAt = rows.findIndex(({ id }) => id === openId);
  const rowOf = (id: string) => rows.find((row) => row.id === id);
  const selection = useSelection(
    rows.map(({ id }) => id),
    (id) => {
      const row = rowOf(id);
      return row !== undefined && canChoose(row);
    },
  );
  return { ...selection, open: rows[openAt], nextId: rows[openAt + 1]?.id, rowOf };
}

type RowBoxProps = { label: string; checked: boolean; disabled?: boolean; onToggle: () => void };

/** The box that chooses a row. */
export function RowBox({ label, checked, disabled, onToggle }: RowBoxProps) {
  return (
    <label className="grid min-h-11 min-w-11 cursor-pointer place-items-center pt-1 has-disabled:cursor-not-allowed">
      <span className="sr-only">{label}</span>
      <input
        checked={checked}
        className="size-5 accent-ember"
        disabled={disabled}
        onChange={onToggle}
        type="checkbox"
      />
    </label>
  );
}
