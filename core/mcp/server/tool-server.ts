import type { Implementation, McpServer } from "@modelcontextprotocol/server";
import type { CallEnd } from "../call/run-tool.js";
import type { Prompt } from "../prompt.js";
import type { Resource } from "../resource.js";
import type { Session } from "../session.js";
import type { Tool } from "../tool.js";
import { offerPrompts } from "./offer-prompts.js";
import { offerCompletion } from "./offer-completion.js";
import { offerResources } from "./offer-resources.js";
import { offerTools, showTools, type ShownTools } from "./offer-tools.js";
import { instructions } from "./instructions.js";
import type { Offering } from "./offering.js";

/** What the server tells and runs. */
export interface ToolServerParts {
  about: Pick<Implementation, "name" | "title" | "version">;
  tools: readonly Tool[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
  /** Hears of each call that has ended. */
  ended(session: Session, end: CallEnd): void;
}

/** Makes a server for each connection, or each request: it shows and runs what its session's key may. */
export class ToolServer {
  #shown: ShownTools | null = null;

  constructor(private readonly parts: ToolServerParts) {}

  async build(session: Session): Promise<McpServer> {
    const sdk = await import("@modelcontextprotocol/server");
    const built = new sdk.McpServer(this.parts.about, {
      instructions,
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    });
    const offering: Offering = {
      server: built.server,
      session,
      refuse: (message, data) =>
        new sdk.ProtocolError(
          sdk.ProtocolErrorCode.InvalidParams,
          message,
          data,
        ),
    };
    // As the list tells them, which takes longer to make than a call takes: so it is made once, and not at the start.
    this.#shown ??= showTools(this.parts.tools);
    offerTools(offering, this.#shown, (called, end) =>
      this.parts.ended(called, end),
    );
    offerResources(offering, this.parts.resources);
    offerPrompts(offering, this.parts.prompts);
    offerCompletion(offering, this.parts);
    return built;
  }
}
