import type { Fault, FaultPlan } from "./fault.js";

/** Counts what passes a door, and says which of it meets a fault. */
export class Tally {
  count = 0;
  mostAtOnce = 0;
  #open = 0;
  #plan: FaultPlan | null = null;
  #hasMet = false;
  #waiting: (() => void)[] = [];

  watch(plan: FaultPlan | null): void {
    this.#plan = plan;
    this.count = 0;
    this.mostAtOnce = this.#open;
    this.#hasMet = false;
  }

  enter(): Fault | null {
    this.count += 1;
    this.#open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    const plan = this.#plan;
    if (!plan || this.count < plan.from || this.count > plan.to) return null;
    this.#hasMet = true;
    for (const tell of this.#waiting.splice(0)) tell();
    return plan.fault;
  }

  leave(): void {
    this.#open -= 1;
  }

  met(): Promise<void> {
    if (this.#hasMet) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
