/**
 * Of all tabs of a member one leads: it holds the socket, syncs and sends the outbox. The tab that was shown last
 * leads, because browsers slow hidden tabs down and may suspend them while they hold the lock. When the leader
 * closes, another tab takes over.
 */
type Role = 'leader' | 'follower';

/** Starts a role. Returns a function that stops it. */
type StartRole = (role: Role) => () => void;

/** Starts a role for this tab, and another whenever it changes. Returns a function that ends the last. */
export function takeRole(memberId: string, start: StartRole): () => void {
  // Only secure contexts have locks; elsewhere every tab leads.
  if (!navigator.locks) return start('leader');
  const tab = new Tab(`hw-live-${memberId}`, start);
  const shown = () => document.visibilityState === 'visible' && tab.lead();
  // A page in the back/forward cache must not hold the lock.
  const onPageHide = ({ persisted }: PageTransitionEvent) => persisted && tab.leave();
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && tab.join();
  document.addEventListener('visibilitychange', shown);
  addEventListener('pagehide', onPageHide);
  addEventListener('pageshow', onPageShow);
  tab.join();
  return () => {
    document.removeEventListener('visibilitychange', shown);
    removeEventListener('pagehide', onPageHide);
    removeEventListener('pageshow', onPageShow);
    tab.leave();
  };
}

class Tab {
  private role: Role | null = null;
  private stopRole: () => void = () => undefined;
  private release: () => void = () => undefined;
  /** Ends the wait for the lock; null when this tab does not take part. */
  private waiting: AbortController | null = null;

  constructor(
    private readonly lockName: string,
    private readonly start: StartRole,
  ) {}

  join(): void {
    if (this.waiting) return;
    if (document.visibilityState === 'visible') this.steal();
    else {
      this.become('follower');
      this.wait();
    }
  }

  /** Takes the lock from the tab that holds it. */
  lead(): void {
    if (!this.waiting || this.role === 'leader') return;
    this.waiting.abort();
    this.steal();
  }

  leave(): void {
    this.waiting?.abort();
    this.waiting = null;
    this.release();
    this.become(null);
  }

  private steal(): void {
    this.waiting = new AbortController();
    void this.hold({ steal: true });
  }

  /** Takes over when the leader closes. */
  private wait(): void {
    this.waiting = new AbortController();
    void this.hold({ signal: this.waiting.signal });
  }

  private async hold(options: LockOptions): Promise<void> {
    const mine = this.waiting;
    let holds = false;
    const lead = () =>
      new Promise<void>((resolve) => {
        holds = true;
        this.release = () => {
          holds = false;
          resolve();
        };
        if (this.waiting === mine) this.become('leader');
        else this.release();
      });
    // Rejects when the wait is aborted and when another tab takes the lock.
    await navigator.locks.request(this.lockName, options, lead).catch(() => undefined);
    if (!holds || this.waiting !== mine) return;
    this.become('follower');
    this.wait();
  }

  private become(role: Role | null): void {
    if (role === this.role) return;
    this.role = role;
    this.stopRole();
    this.stopRole = role ? this.start(role) : () => undefined;
  }
}
