import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { useReorder } from './useReorder.ts';

const ids = ['ada', 'ben', 'cleo'];
const onOver = vi.fn<(id: string, to: number) => void>();
const onDrop = vi.fn<() => void>();

function Grid() {
  const { draggedId, slotProps, dragHandlers } = useReorder({ ids, onOver, onDrop });
  return (
    <ul>
      {ids.map((id, index) => (
        <li key={id} {...slotProps(index)}>
          <img alt={id} aria-current={draggedId === id} id={id} {...dragHandlers(id)} />
        </li>
      ))}
    </ul>
  );
}

const item = (id: string) => document.getElementById(id) as HTMLElement;
const fire = (target: EventTarget, type: string, more: PointerEventInit = {}) =>
  act(async () => target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, ...more })));

/** Sets the items under the pointer, the top one first. */
function putUnderPointer(...items: string[]): void {
  document.elementsFromPoint = () => items.map(item);
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onOver.mockReset();
  onDrop.mockReset();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<Grid />));
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

it('a dragged item follows the pointer within its slot and reports the slot it is over', async () => {
  await fire(item('ada'), 'pointerdown', { pointerType: 'mouse', clientX: 10, clientY: 10 });
  expect(item('ada').getAttribute('aria-current')).toBe('true');
  putUnderPointer('ada');
  await fire(document, 'pointermove', { clientX: 30, clientY: 15 });
  expect(onOver, 'its own slot').not.toHaveBeenCalled();
  expect(item('ada').style.transform).toContain('translate(20px, 5px)');

  putUnderPointer('ada', 'cleo');
  await fire(document, 'pointermove', { clientX: 200, clientY: 15 });
  expect(onOver.mock.calls).toEqual([['ada', 2]]);
  await fire(document, 'pointerup');
  expect(onDrop).toHaveBeenCalledOnce();
  expect(item('ada').style.transform).toBe('');
});

it('a finger drags after it rested, and not if it moves before', async () => {
  const touch = { pointerType: 'touch', clientX: 10, clientY: 10 };
  putUnderPointer('ben');
  await fire(item('ada'), 'pointerdown', touch);
  await fire(document, 'pointermove', { ...touch, clientY: 40 });
  await act(async () => vi.advanceTimersByTime(1000));
  await fire(document, 'pointerup');
  expect(onOver).not.toHaveBeenCalled();
  expect(onDrop).not.toHaveBeenCalled();

  await fire(item('ada'), 'pointerdown', touch);
  await act(async () => vi.advanceTimersByTime(1000));
  await fire(document, 'pointermove', { ...touch, clientY: 40 });
  await fire(document, 'pointerup');
  expect(onOver.mock.calls).toEqual([['ada', 1]]);
  expect(onDrop).toHaveBeenCalledOnce();
});
