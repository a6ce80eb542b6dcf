// The clock of the stage.

/** A time in seconds that runs, loops and notifies listeners. */
export class Clock {
  now = 0;
  isRunning = false;
  /** Playback speed, from 0.1 to 4. */
  speed = 1;
  /** Duration of the longest motion. */
  secs = 0;
  /** The looped range; null for everything. */
  loop: [number, number] | null = null;
  private readonly listeners = new Set<() => void>();

  /** Calls the listener after every change. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  /** Advances the time, if the clock is running. */
  advance(secs: number): void {
    if (!this.isRunning || this.secs === 0) return;
    const [from, to] = this.loop ?? [0, this.secs];
    let now = this.now + secs * this.speed;
    if (now >= to || now < from) now = from + (Math.max(now - from, 0) % Math.max(to - from, 1e-3));
    this.now = now;
    this.notify();
  }

  seek(secs: number): void {
    this.now = Math.min(Math.max(secs, 0), this.secs);
    this.notify();
  }

  toggle(): void {
    this.isRunning = !this.isRunning;
    this.notify();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(Math.max(speed, 0.1), 4);
    this.notify();
  }

  setLength(secs: number): void {
    this.secs = secs;
    if (this.loop && this.loop[1] > secs) this.loop = null;
    this.seek(Math.min(this.now, secs));
  }

  /** Sets one end of the loop to the present time; the other end stays. */
  mark(end: "a" | "b"): void {
    let [a, b] = this.loop ?? [0, this.secs];
    if (end === "a") a = this.now;
    else b = this.now;
    this.loop = b - a > 0.01 ? [a, b] : end === "a" ? [a, this.secs] : [0, b];
    this.notify();
  }

  clearLoop(): void {
    this.loop = null;
    this.notify();
  }
}
