// Drawing a path on the floor with the mouse, at the speed of the result. A ring shows the speed of the motion on the stage.
import type { App } from "../app.ts";
import { button } from "../dom.ts";
import { RATE_HZ, type Sample } from "./path.ts";

export class Drawing {
  readonly button: HTMLButtonElement;
  private readonly app: App;
  private readonly label: string;
  private readonly ended: (samples: Sample[]) => void;
  isOpen = false;

  /** Creates the button that starts drawing; `ended` is called when the mouse button is released. */
  constructor(app: App, label: string, title: string, ended: (samples: Sample[]) => void) {
    this.app = app;
    this.label = label;
    this.ended = ended;
    this.button = button(label, title, () => this.toggle(), { class: "primary", aria: { pressed: "false" } });
    this.listen();
  }

  /** Starts or stops drawing. */
  toggle(on = !this.isOpen): void {
    if (on === this.isOpen) return;
    const { stage } = this.app;
    this.isOpen = on;
    stage.sketch.isOpen = on;
    stage.hasControls = !on;
    stage.canvas.classList.toggle("drawing", on);
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? "Drawing… (Esc)" : this.label;
    if (on) {
      stage.isSplit = false;
      stage.viewFromAbove();
    }
    stage.wake();
  }

  private listen(): void {
    const { stage, clock } = this.app;
    stage.canvas.addEventListener("pointerdown", (event) => {
      if (!this.isOpen || event.button !== 0) return;
      const from = clock.now;
      const samples: Sample[] = [];
      const add = (now: PointerEvent) => {
        const all = now.getCoalescedEvents();
        // The times of the events count, not the time at which a busy page handles them.
        for (const one of all.length > 0 ? all : [now]) {
          const at = stage.floorAt(one);
          if (at) samples.push({ ...at, secs: (one.timeStamp - event.timeStamp) / 1000 });
        }
        stage.sketch.set(samples.map(({ x, z }) => [x, z]));
        stage.wake();
      };
      // The motion on the stage plays, and the ring shows its speed on the line.
      if (!clock.isRunning) clock.toggle();
      const pace = setInterval(() => this.pace(samples, from), 1000 / RATE_HZ);
      stage.canvas.setPointerCapture(event.pointerId);
      add(event);
      const end = new AbortController();
      const stop = () => {
        end.abort();
        clearInterval(pace);
        stage.sketch.setPace(null);
        this.ended(samples);
      };
      const { signal } = end;
      stage.canvas.addEventListener("pointermove", add, { signal });
      stage.canvas.addEventListener("pointerup", (last) => (add(last), stop()), { signal });
      // A gesture that the system takes over ends the line.
      stage.canvas.addEventListener("pointercancel", stop, { signal });
    });
  }

  /** Moves the ring as distance along the line as the motion on the stage has travelled since the line was started. */
  private pace(samples: Sample[], from: number): void {
    const { stage, lead, clock } = this.app;
    const last = samples.at(-1);
    if (!lead || !last) return;
    const { rateHz } = lead.motion;
    const actor = lead.motion.actors[0]!;
    const step = Math.max(Math.round(rateHz / 10), 1);
    let distance = 0;
    const root = (frame: number) => 3 * actor.movers * Math.min(frame, lead.motion.frames - 1);
    for (let frame = Math.round(from * rateHz); frame + step <= clock.now * rateHz; frame += step) {
      const [a, b] = [root(frame), root(frame + step)];
      distance += Math.hypot(actor.positions[b]! - actor.positions[a]!, actor.positions[b + 2]! - actor.positions[a + 2]!);
    }
    for (let index = 1; index < samples.length; index++) {
      const [a, b] = [samples[index - 1]!, samples[index]!];
      const piece = Math.hypot(b.x - a.x, b.z - a.z);
      if (distance <= piece) {
        const fraction = piece > 0 ? distance / piece : 0;
        stage.sketch.setPace([a.x + fraction * (b.x - a.x), a.z + fraction * (b.z - a.z)]);
        stage.wake();
        return;
      }
      distance -= piece;
    }
    stage.sketch.setPace([last.x, last.z]);
    stage.wake();
  }
}
