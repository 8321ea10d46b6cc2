/**
 * Elects one of the tabs of a scope, which are a member's, as the leader, which has the socket, syncs and sends the outbox. The leader holds a Web
 * Lock. It is the tab shown last, because browsers throttle hidden tabs and may suspend one that holds the lock. When
 * the leader closes, another tab gets the lock.
 */
type Role = 'leader' | 'follower';

/** Starts a role. Returns a function that stops it. */
type StartRole = (role: Role) => () => void;

/** Starts this tab's role, and the new one after each change. Returns a function that stops the current role. */
export function startLeaderElection(scope: string, start: StartRole): () => void {
  // Only secure contexts have locks; in others every tab leads.
  if (!navigator.locks) return start('leader');
  const tab = new Tab(`hw-live-${scope}`, start);
  const leadIfVisible = () => document.visibilityState === 'visible' && tab.lead();
  // A page in the back/forward cache must not hold the lock.
  const onPageHide = ({ persisted }: PageTransitionEvent) => persisted && tab.leave();
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && tab.join();
  document.addEventListener('visibilitychange', leadIfVisible);
  addEventListener('pagehide', onPageHide);
  addEventListener('pageshow', onPageShow);
  tab.join();
  return () => {
    document.removeEventListener('visibilitychange', leadIfVisible);
    removeEventListener('pagehide', onPageHide);
    removeEventListener('pageshow', onPageShow);
    tab.leave();
  };
}

class Tab {
  private role: Role | null = null;
  private stopRole: () => void = () => undefined;
  private release: () => void = () => undefined;
  /** Aborts the request of the lock; null before join() and after leave(). */
  private request: AbortController | null = null;

  constructor(
    private readonly lockName: string,
    private readonly start: StartRole,
  ) {}

  join(): void {
    if (this.request) return;
    if (document.visibilityState === 'visible') this.steal();
    else {
      this.become('follower');
      this.wait();
    }
  }

  /** Makes this tab the leader, in place of the current one. */
  lead(): void {
    if (!this.request || this.role === 'leader') return;
    this.request.abort();
    this.steal();
  }

  leave(): void {
    this.request?.abort();
    this.request = null;
    this.release();
    this.become(null);
  }

  private steal(): void {
    this.request = new AbortController();
    void this.requestLock({ steal: true });
  }

  /** Waits for the lock, which is free when the leader closes. */
  private wait(): void {
    this.request = new AbortController();
    void this.requestLock({ signal: this.request.signal });
  }

  private async requestLock(options: LockOptions): Promise<void> {
    const request = this.request;
    let isHeld = false;
    const onGranted = () =>
      new Promise<void>((resolve) => {
        isHeld = true;
        this.release = () => {
          isHeld = false;
          resolve();
        };
        if (this.request === request) this.become('leader');
        else this.release();
      });
    // Rejects when the request is aborted and when another tab steals the lock.
    await navigator.locks.request(this.lockName, options, onGranted).catch(() => undefined);
    if (!isHeld || this.request !== request) return;
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
