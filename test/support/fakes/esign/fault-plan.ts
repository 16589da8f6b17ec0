/**
 * What goes wrong with a request. `reset` and `stall`: it changes nothing, and the connection breaks or is never
 * answered. `lost` and `silent`: the same after it has had its effect. `late`: it is never answered, and has its effect
 * when the test says so (`catchUp`). `bad-gateway`: a page with 502 after the effect. `html`: a login page with 200, and
 * no effect.
 */
export type FakeFault =
  | "reset"
  | "stall"
  | "lost"
  | "silent"
  | "late"
  | "bad-gateway"
  | "html"
  | { status: number; headers?: Record<string, string>; body: unknown };

interface Planned {
  call: RegExp;
  fault: FakeFault;
  times: number;
}

/** Faults that a test has ordered, each for the next requests of a kind. */
export class FaultPlan {
  readonly #planned: Planned[] = [];

  /** @param call matches `POST /api/submissions/pdf`, without the query. */
  next(call: RegExp, fault: FakeFault, times = 1): void {
    this.#planned.push({ call, fault, times });
  }

  /** The next requests are refused for coming too soon. */
  tooMany(call: RegExp, times = 1, retryAfterSeconds = 0): void {
    const headers = { "retry-after": String(retryAfterSeconds) };
    const body = { error: "Too many requests" };
    this.next(call, { status: 429, headers, body }, times);
  }

  clear(): void {
    this.#planned.length = 0;
  }

  take(call: string): FakeFault | null {
    const place = this.#planned.findIndex((one) => one.call.test(call));
    const planned = this.#planned[place];
    if (!planned) return null;
    planned.times -= 1;
    if (planned.times <= 0) this.#planned.splice(place, 1);
    return planned.fault;
  }
}
