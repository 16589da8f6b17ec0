import type { Door, Fault } from "./fault.js";
import { HttpDoor } from "./http-door.js";
import type { Addresses } from "./subject.js";
import { TcpDoor } from "./tcp-door.js";

/** A fault proxy before each address of a server. */
export class Doors {
  private constructor(private readonly doors: ReadonlyMap<string, Door>) {}

  static async open(addresses: Addresses): Promise<Doors> {
    const doors = new Map<string, Door>();
    for (const [name, address] of Object.entries(addresses))
      doors.set(name, await createHttpTransport(address));
    return new Doors(doors);
  }

  get all(): readonly Door[] {
    return [...this.doors.values()];
  }

  get seeRequests(): boolean {
    return this.all.length > 0 && this.all.every((door) => door.seesRequests);
  }

  /** Where the plugin finds each. */
  get urls(): Addresses {
    return Object.fromEntries(
      Array.from(this.doors, ([name, { url }]) => [name, url]),
    );
  }

  /** How many requests `work` sends, through all doors. */
  async count(work: () => Promise<unknown>): Promise<number> {
    for (const door of this.all) door.watch(null);
    await work();
    return this.all.reduce((sum, door) => sum + door.requests, 0);
  }

  /** Runs `work` while the fault meets each request from the given one on, at every door. */
  async under<T>(
    fault: Fault,
    work: () => Promise<T>,
    { from = 1, to = Infinity }: { from?: number; to?: number } = {},
  ): Promise<T> {
    for (const door of this.all) door.watch({ fault, from, to });
    try {
      return await work();
    } finally {
      for (const door of this.all) door.watch(null);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((door) => door.close()));
  }
}

function createHttpTransport(address: string): Promise<Door> {
  return address.startsWith("tcp:")
    ? TcpDoor.open(address)
    : HttpDoor.open(address);
}
