import type { CDPSession, Locator, Page } from '@playwright/test';

export type Spot = { x: number; y: number };

/**
 * A finger on the glass, through the browser's own input: gestures, scrolling
 * and cancelled touches happen as on a phone. Time is told with each touch and
 * not waited for, so that slow and fast mean the same on every machine.
 */
export class Finger {
  private at = Date.now() / 1000;
  private spot: Spot = { x: 0, y: 0 };

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async down(spot: Spot): Promise<void> {
    this.at = Math.max(this.at, Date.now() / 1000);
    await this.touch('touchStart', spot);
  }

  /** Moves on by so much, within so many milliseconds. */
  async move(by: Spot, ms: number, steps = 8): Promise<void> {
    const from = this.spot;
    for (let step = 1; step <= steps; step += 1) {
      this.at += ms / steps / 1000;
      const share = step / steps;
      await this.touch('touchMove', { x: from.x + by.x * share, y: from.y + by.y * share });
    }
  }

  async up(): Promise<void> {
    await this.touch('touchEnd');
  }

  /** One stroke from the middle of something. */
  async swipe(target: Locator, by: Spot, ms = 150): Promise<void> {
    await this.down(await middle(target));
    await this.move(by, ms);
    await this.up();
  }

  private async touch(type: 'touchStart' | 'touchMove' | 'touchEnd', spot?: Spot): Promise<void> {
    if (spot) this.spot = spot;
    const touchPoints = spot ? [spot] : [];
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: this.at });
  }
}

/** Where it is once it stands still. */
export async function middle(target: Locator): Promise<Spot> {
  await target.evaluate(standsStill);
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to touch');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** In the page: nothing moved it for some frames. */
function standsStill(element: Element): Promise<void> {
  return new Promise((resolve) => {
    let last = '';
    let same = 0;
    const look = () => {
      const { x, y, width } = element.getBoundingClientRect();
      const now = `${x} ${y} ${width}`;
      same = now === last ? same + 1 : 0;
      last = now;
      if (same >= 6) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}
