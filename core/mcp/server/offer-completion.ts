import type { CompleteRequest } from "@modelcontextprotocol/server";
import type { PromptArgument } from "../prompt.js";
import { inProtocol, type Offering, within } from "./offering.js";
import type { ToolServerParts } from "./tool-server.js";

type Offered = Pick<ToolServerParts, "resources" | "prompts">;
type Complete = NonNullable<PromptArgument["complete"]>;

/** The protocol's own limit. */
const mostValues = 100;

/** Completes the arguments of prompts and the ids in resources' addresses. */
export function offerCompletion(offering: Offering, offered: Offered): void {
  offering.server.setRequestHandler("completion/complete", ({ params }) =>
    inProtocol(offering, async () => {
      const complete = completerOf(offering, offered, params);
      const typed = params.argument.value;
      const found = (await complete?.(offering.session, typed)) ?? [];
      const values = found.slice(0, mostValues);
      return { completion: { values, hasMore: found.length > mostValues } };
    }),
  );
}

/** Nothing for what the key may not use, or what takes any words. */
function completerOf(
  { session }: Offering,
  { resources, prompts }: Offered,
  { ref, argument }: CompleteRequest["params"],
): Complete | undefined {
  if (ref.type === "ref/prompt") {
    const prompt = within(session, prompts).find(
      ({ name }) => name === ref.name,
    );
    return prompt?.args[argument.name]?.complete;
  }
  const resource = within(session, resources).find(
    ({ uri }) => uri === ref.uri,
  );
  return resource?.complete;
}
