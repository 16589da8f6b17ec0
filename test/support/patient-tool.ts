import { EventEmitter, once } from "node:events";
import type { DependencyContainer } from "tsyringe";
import { z } from "zod";
import { contentTool, textBlock, type Tool } from "../../core/mcp/index.js";
import { TOOLS } from "../../core/app/tokens.js";

/** A tool that waits until it is let go on, or until its call is given up. */
export class PatientTool {
  readonly #events = new EventEmitter();

  /** Puts it in place of all tools. */
  replaceTools(container: DependencyContainer): void {
    container.register<readonly Tool[]>(TOOLS, { useValue: [this.#tool()] });
  }

  /** Resolves at the next call, and at the next that is given up. */
  called(): Promise<unknown> {
    return once(this.#events, "called");
  }

  givenUp(): Promise<unknown> {
    return once(this.#events, "given up");
  }

  letGo(): void {
    this.#events.emit("go");
  }

  #tool(): Tool {
    return contentTool({
      name: "wait",
      title: "Wait",
      description: "Waits until it is let go on.",
      scope: "templates:read",
      input: z.strictObject({}),
      annotations: { readOnlyHint: true },
      run: async ({ signal, progress }) => {
        progress({ done: 1, total: 2, message: "half-way" });
        const go = once(this.#events, "go", { signal });
        this.#events.emit("called");
        await go.catch((error: unknown) => {
          this.#events.emit("given up");
          throw error;
        });
        return [textBlock("waited")];
      },
    });
  }
}
