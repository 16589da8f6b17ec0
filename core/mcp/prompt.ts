import type { PromptMessage } from "@modelcontextprotocol/server";
import type { Scope } from "../accounts/index.js";
import type { Session } from "./session.js";

/** What a person may say with a prompt. */
export interface PromptArgument {
  description: string;
  isRequired?: true;
  /** Values that fit what was typed so far, 100 at most. */
  complete?: (session: Session, typed: string) => Promise<string[]>;
}

/** A task that a person picks from a list, with what to say to the assistant. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** Who lacks it neither sees the prompt nor may use it. */
  scope: Scope;
  args: Readonly<Record<string, PromptArgument>>;
  /** @throws PlatenError as the rooms do. */
  messages(
    session: Session,
    given: Readonly<Record<string, string>>,
  ): Promise<PromptMessage[]>;
}
