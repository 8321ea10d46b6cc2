import { type CDPSession, expect, type Locator, type Page } from '@playwright/test';

export type Point = { x: number; y: number };

/**
 * A finger, through the browser's own input: gestures, scrolling and cancelled touches happen as on a phone. Each
 * touch carries its time stamp instead of being delayed, so that slow and fast mean the same on every machine.
 */
export class Finger {
  private timestamp = Date.now() / 1000;
  private point: Point = { x: 0, y: 0 };

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async down(point: Point): Promise<void> {
    this.timestamp = Math.max(this.timestamp, Date.now() / 1000);
    await this.touch('touchStart', point);
  }

  /** Moves by an offset within `ms` milliseconds, in `steps` events. */
  async move(by: Point, ms: number, steps = 8): Promise<void> {
    const from = this.point;
    for (let step = 1; step <= steps; step += 1) {
      this.timestamp += ms / steps / 1000;
      const share = step / steps;
      await this.touch('touchMove', { x: from.x + by.x * share, y: from.y + by.y * share });
    }
  }

  async up(): Promise<void> {
    await this.touch('touchEnd');
  }

  /** Taps the middle of an element. */
  async tap(target: Locator): Promise<void> {
    await this.down(await centreOf(target));
    await this.up();
  }

  /** Swipes from the middle of an element. */
  async swipe(target: Locator, by: Point, ms = 150): Promise<void> {
    const start = await centreOf(target);
    // Sent together, because the timer of a long press does not know the time stamps: on a busy machine it would fire in the
    // moment between the touch and its first move.
    await Promise.all([this.down(start), this.move(by, ms)]);
    await this.up();
  }

  private async touch(type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point): Promise<void> {
    if (point) this.point = point;
    const touchPoints = point ? [point] : [];
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: this.timestamp });
  }
}

/** Waits until an element is at rest and returns its middle. A list may draw the element anew meanwhile. */
export async function centreOf(target: Locator): Promise<Point> {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  await expect
    .poll(
      async () => {
        await target.evaluate(waitForRest);
        box = await target.boundingBox();
        return box !== null;
      },
      { message: 'the element is visible' },
    )
    .toBe(true);
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** In the page: resolves when the element has not moved for six frames. */
function waitForRest(element: Element): Promise<void> {
  return new Promise((resolve) => {
    let last = '';
    let same = 0;
    const checkFrame = () => {
      const { x, y, width } = element.getBoundingClientRect();
      const now = `${x} ${y} ${width}`;
      same = now === last ? same + 1 : 0;
      last = now;
      if (same >= 6) resolve();
      else requestAnimationFrame(checkFrame);
    };
    checkFrame();
  });
}
