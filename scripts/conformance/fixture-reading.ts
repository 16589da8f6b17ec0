import type { PromptMessage } from "@modelcontextprotocol/server";
import type { Prompt, Resource } from "../../core/mcp/index.js";
import { redPixel } from "./fixture-tools.js";

// The resources and prompts that the conformance suite asks for by name.

export const fixtureResources: readonly Resource[] = [
  {
    uri: "test://static-text",
    name: "static-text",
    title: "A text",
    description: "A text that never changes.",
    mimeType: "text/plain",
    scope: "templates:read",
    read: async () => "This is the content of the static text resource.",
  },
];

const nobody = { scope: "templates:read", args: {} } as const;

function says(...contents: PromptMessage["content"][]): PromptMessage[] {
  return contents.map((content) => ({ role: "user", content }));
}

function text(words: string): PromptMessage["content"] {
  return { type: "text", text: words };
}

export const fixturePrompts: readonly Prompt[] = [
  {
    ...nobody,
    name: "test_simple_prompt",
    title: "A prompt",
    description: "A prompt without arguments.",
    messages: async () => says(text("This is a simple prompt for testing.")),
  },
  {
    ...nobody,
    name: "test_prompt_with_arguments",
    title: "A prompt with arguments",
    description: "A prompt that takes two arguments.",
    args: {
      arg1: { description: "First test argument", isRequired: true },
      arg2: { description: "Second test argument", isRequired: true },
    },
    messages: async (_session, { arg1 = "", arg2 = "" }) =>
      says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    ...nobody,
    name: "test_prompt_with_embedded_resource",
    title: "A prompt with a resource",
    description: "A prompt that holds the resource it names.",
    args: {
      resourceUri: { description: "URI of the resource", isRequired: true },
    },
    messages: async (_session, { resourceUri: uri = "" }) =>
      says(
        {
          type: "resource",
          resource: {
            uri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
        text("Please process the embedded resource above."),
      ),
  },
  {
    ...nobody,
    name: "test_prompt_with_image",
    title: "A prompt with a picture",
    description: "A prompt that holds a picture.",
    messages: async () =>
      says(
        {
          type: "image",
          data: redPixel.toString("base64"),
          mimeType: "image/png",
        },
        text("Please analyze the image above."),
      ),
  },
];
