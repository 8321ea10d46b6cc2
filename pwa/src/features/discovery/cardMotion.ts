import { createEmitter } from '@/ui';
import type { Curve } from './curves.ts';

/** The offset of a card in CSS pixels, and its opacity. */
type Values = { x: number; y: number; opacity: number };
type Property = keyof Values;

type Animation = { curve: Curve; start: number | null; onDone?: () => void };

/** The offset and opacity of a card, which gestures and animations change without a React render. */
export class CardMotion {
  private readonly values: Values = { x: 0, y: 0, opacity: 1 };
  private readonly animations = new Map<Property, Animation>();
  private readonly changes = createEmitter();
  private frame = 0;

  get = (property: Property): number => this.values[property];

  /** Calls `listener` after each change; returns a function that ends this. */
  readonly onChange = this.changes.subscribe;

  /** Moves the card; running animations of its offset end. */
  moveTo(x: number, y: number): void {
    this.stopMoving();
    Object.assign(this.values, { x, y });
    this.changes.emit();
  }

  stopMoving(): void {
    this.animations.delete('x');
    this.animations.delete('y');
  }

  /** Animates a property along a curve, in place of its last animation, whose `onDone` is then not called. */
  animate(property: Property, curve: Curve, onDone?: () => void): void {
    this.animations.set(property, { curve, start: null, onDone });
    if (this.frame === 0) this.frame = requestAnimationFrame(this.step);
  }

  /** Ends all animations. */
  stop(): void {
    this.animations.clear();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  private readonly step = (now: number): void => {
    this.frame = 0;
    const ended: Animation[] = [];
    for (const [property, animation] of this.animations) {
      animation.start ??= now;
      const { value, done } = animation.curve((now - animation.start) / 1000);
      this.values[property] = value;
      if (!done) continue;
      this.animations.delete(property);
      ended.push(animation);
    }
    if (this.animations.size > 0) this.frame = requestAnimationFrame(this.step);
    this.changes.emit();
    for (const { onDone } of ended) onDone?.();
  };
}
