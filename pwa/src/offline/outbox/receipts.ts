import type { OutboxBody } from '../store/rows.ts';

/** A receipt only ever rises. */
export function raiseReceipt(old: OutboxBody, raised: OutboxBody): OutboxBody {
  if (old.kind !== 'receipt' || raised.kind !== 'receipt') return raised;
  const deliveredSeq = Math.max(old.deliveredSeq ?? 0, raised.deliveredSeq ?? 0);
  const readSeq = Math.max(old.readSeq ?? 0, raised.readSeq ?? 0);
  return { kind: 'receipt', ...(deliveredSeq && { deliveredSeq }), ...(readSeq && { readSeq }) };
}
