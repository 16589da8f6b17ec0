/** Milliseconds that each phase of a render took, in the order in which they ran. */
export type Phases = Readonly<Record<string, number>>;

export class PhaseTimer {
  readonly #durations = new Map<string, number>();

  /** @param onBegin called as each phase begins */
  constructor(private readonly onBegin: (phase: string) => void = () => {}) {}

  /** Adds the time of `work` to the phase, also when it fails. */
  async time<T>(phase: string, work: () => T | Promise<T>): Promise<T> {
    this.begin(phase);
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.add(phase, performance.now() - start);
    }
  }

  begin(phase: string): void {
    this.onBegin(phase);
  }

  add(phase: string, milliseconds: number): void {
    this.#durations.set(
      phase,
      (this.#durations.get(phase) ?? 0) + milliseconds,
    );
  }

  get phases(): Phases {
    return Object.fromEntries(this.#durations);
  }
}
