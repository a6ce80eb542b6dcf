// One clock for everything on the stage.

/** A time that runs, is stepped, looped and listened to. Times are in seconds. */
export class Clock {
  now = 0;
  isRunning = false;
  /** From 0.1 to 4 times as fast. */
  speed = 1;
  /** How long the longest motion is. */
  secs = 0;
  /** What is looped; all where it is null. */
  loop: [number, number] | null = null;
  private readonly listeners = new Set<() => void>();

  /** Calls back whenever anything of it changes. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** Lets time go by. */
  advance(secs: number): void {
    if (!this.isRunning || this.secs === 0) return;
    const [from, to] = this.loop ?? [0, this.secs];
    let now = this.now + secs * this.speed;
    if (now >= to || now < from) now = from + (Math.max(now - from, 0) % Math.max(to - from, 1e-3));
    this.now = now;
    this.tell();
  }

  seek(secs: number): void {
    this.now = Math.min(Math.max(secs, 0), this.secs);
    this.tell();
  }

  toggle(): void {
    this.isRunning = !this.isRunning;
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(Math.max(speed, 0.1), 4);
    this.tell();
  }

  setLength(secs: number): void {
    this.secs = secs;
    if (this.loop && this.loop[1] > secs) this.loop = null;
    this.seek(Math.min(this.now, secs));
  }

  /** Sets an end of the loop to now; the other end stays, or is that of the whole. */
  mark(end: "a" | "b"): void {
    let [a, b] = this.loop ?? [0, this.secs];
    if (end === "a") a = this.now;
    else b = this.now;
    this.loop = b - a > 0.01 ? [a, b] : end === "a" ? [a, this.secs] : [0, b];
    this.tell();
  }

  clearLoop(): void {
    this.loop = null;
    this.tell();
  }
}
