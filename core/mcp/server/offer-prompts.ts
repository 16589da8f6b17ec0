import { requireScope } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Prompt } from "../prompt.js";
import { inProtocol, type Offering, within } from "./offering.js";

/** Lists the prompts that the key may use, and writes them out. */
export function offerPrompts(
  offering: Offering,
  prompts: readonly Prompt[],
): void {
  const { server, session } = offering;
  server.setRequestHandler("prompts/list", () => ({
    prompts: within(session, prompts).map(wirePrompt),
  }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    inProtocol(offering, () =>
      write(offering, prompts, params.name, params.arguments ?? {}),
    ),
  );
}

function wirePrompt({ name, title, description, args }: Prompt) {
  return {
    name,
    title,
    description,
    arguments: Object.entries(args).map(([argument, told]) => ({
      name: argument,
      description: told.description,
      required: told.isRequired ?? false,
    })),
  };
}

async function write(
  { session }: Offering,
  prompts: readonly Prompt[],
  name: string,
  given: Record<string, string>,
) {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt)
    throw new PlatenError(
      "not_found",
      `There is no prompt ${name}. Prompts are: ${prompts.map((one) => one.name).join(", ")}.`,
    );
  requireScope(session.caller, prompt.scope);
  const missing = Object.entries(prompt.args)
    .filter(([argument, { isRequired }]) => isRequired && !given[argument])
    .map(([argument]) => argument);
  if (missing.length > 0)
    throw new PlatenError(
      "invalid_request",
      `The prompt ${name} needs: ${missing.join(", ")}.`,
    );
  const messages = await prompt.messages(session, given);
  return { description: prompt.description, messages };
}
