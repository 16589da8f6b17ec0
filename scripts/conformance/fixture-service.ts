import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ContentBlock, PromptMessage } from "@modelcontextprotocol/server";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { createContainer } from "../../core/app/entry-points.js";
import { startService } from "../../core/app/service.js";
import { operator, Organizations, Users } from "../../core/accounts/index.js";
import type { DependencyContainer } from "../../core/lib/injection.js";
import { createLog } from "../../core/lib/log.js";
import {
  createPrompts,
  createResources,
  ToolServer,
  contentTool,
  pictureBlock,
  textBlock,
  type Tool,
  type Prompt,
  type Resource,
  TOOLS,
} from "../../core/mcp/index.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import { LoginLinks } from "../../core/accounts/sessions/index.js";
import { Documents, Thumbnails } from "../../core/documents/index.js";
import { STORE } from "../../core/storage/database/index.js";
import { Templates } from "../../core/templates/index.js";

export interface FixtureService {
  url: string;
  key: string;
  /** Signs somebody new in to the demo organization. */
  signIn(): Promise<{ cookie: string; organizationId: string }>;
  stop(): Promise<void>;
}

/**
 * The whole service with an empty database, and the fixtures beside its own tools, resources and prompts.
 * @param variables of its environment
 */
export async function startFixtureService(
  variables: Readonly<Record<string, string>> = {},
): Promise<FixtureService> {
  const folder = await mkdtemp(join(tmpdir(), "platen-conformance-"));
  const config = parseConfig({
    PLATEN_DATA: folder,
    PLATEN_PORT: "0",
    ...variables,
  });
  const container = createContainer().createChildContainer();
  container.register(ToolServer, {
    useFactory: (c) => {
      const services = {
        templates: c.resolve(Templates),
        documents: c.resolve(Documents),
        thumbnails: c.resolve(Thumbnails),
      };
      return new ToolServer({
        about: { name: "platen", title: "Platen", version: "0.0.0" },
        tools: [...c.resolve(TOOLS), ...fixtureTools],
        resources: [...createResources(services), ...fixtureResources],
        prompts: [...createPrompts(services), ...fixturePrompts],
        ended: () => undefined,
      });
    },
  });
  const service = await startService(
    config,
    createLog({ level: "error", format: "json" }, process.stderr),
    container,
  );
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  return {
    url: service.baseUrl,
    key: key.trim(),
    signIn: () => signIn(service.container),
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function signIn(c: DependencyContainer) {
  const store = c.resolve(STORE);
  const [organization] = await new Organizations(store).list();
  const organizationId = organization?.id ?? "";
  const { id: userId } = await new Users(store).create(
    organizationId,
    { name: "Ada", email: "ada@example.com", role: "owner" },
    operator,
  );
  const links = c.resolve(LoginLinks);
  const { url } = await links.issue({ userId, organizationId }, operator);
  const answer = await fetch(url, { method: "POST", redirect: "manual" });
  const [cookie = ""] = answer.headers.getSetCookie();
  return { cookie: cookie.split(";")[0] ?? "", organizationId };
}

// The tools that the conformance suite calls by name. No service offers them but the one that `main.ts` starts.

/** A red pixel. */
const redPixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);
/** Silence: a WAV file without samples. */
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const stepMs = 50;

type Run = Parameters<typeof contentTool>[0]["run"];

function fixture(name: string, description: string, run: Run): Tool {
  return contentTool({
    name,
    title: description,
    description,
    scope: "templates:read",
    input: z.strictObject({}),
    annotations: { readOnlyHint: true },
    run,
  });
}

function embedded(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text } };
}

const fixtureTools: readonly Tool[] = [
  fixture("test_simple_text", "Answers with a text", async () => [
    textBlock("This is a simple text response for testing."),
  ]),
  fixture("test_image_content", "Answers with a picture", async () => [
    pictureBlock(redPixel, "image/png"),
  ]),
  fixture("test_audio_content", "Answers with a sound", async () => [
    { type: "audio", data: silence, mimeType: "audio/wav" },
  ]),
  fixture("test_embedded_resource", "Answers with a resource", async () => [
    embedded(
      "test://embedded-resource",
      "text/plain",
      "This is an embedded resource content.",
    ),
  ]),
  fixture("test_multiple_content_types", "Answers with all kinds", async () => [
    textBlock("Multiple content types test:"),
    pictureBlock(redPixel, "image/png"),
    embedded(
      "test://mixed-content-resource",
      "application/json",
      '{"test":"data","value":123}',
    ),
  ]),
  fixture("test_error_handling", "Always fails", async () => {
    throw new PlatenError(
      "invalid_request",
      "This tool intentionally returns an error for testing",
    );
  }),
  fixture("test_tool_with_progress", "Tells how far it is", async (call) => {
    for (const done of [0, 50, 100]) {
      call.progress({ done, total: 100 });
      await pause(stepMs);
    }
    return [textBlock("Done.")];
  }),
];

// The resources and prompts that the conformance suite asks for by name.

const fixtureResources: readonly Resource[] = [
  {
    uri: "test://static-text",
    name: "static-text",
    title: "A text",
    description: "A text that never changes.",
    mimeType: "text/plain",
    scope: "templates:read",
    read: async () => "This is the content of the static text resource.",
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    title: "A picture",
    description: "A picture that never changes.",
    mimeType: "image/png",
    scope: "templates:read",
    read: async () => redPixel,
  },
  {
    uri: "test://template/{id}/data",
    name: "template-data",
    title: "Data",
    description: "Data of an id.",
    mimeType: "application/json",
    scope: "templates:read",
    read: async (_session, id) =>
      JSON.stringify({
        id,
        templateTest: true,
        data: `Data for ID: ${id}`,
      }),
  },
];

const noArguments = { scope: "templates:read", args: {} } as const;

function createPromptMessages(
  ...contents: PromptMessage["content"][]
): PromptMessage[] {
  return contents.map((content) => ({ role: "user", content }));
}

function promptText(words: string): PromptMessage["content"] {
  return { type: "text", text: words };
}

const fixturePrompts: readonly Prompt[] = [
  {
    ...noArguments,
    name: "test_simple_prompt",
    title: "A prompt",
    description: "A prompt without arguments.",
    messages: async () =>
      createPromptMessages(promptText("This is a simple prompt for testing.")),
  },
  {
    ...noArguments,
    name: "test_prompt_with_arguments",
    title: "A prompt with arguments",
    description: "A prompt that takes two arguments.",
    args: {
      arg1: { description: "First test argument", isRequired: true },
      arg2: { description: "Second test argument", isRequired: true },
    },
    messages: async (_session, { arg1 = "", arg2 = "" }) =>
      createPromptMessages(
        promptText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
      ),
  },
  {
    ...noArguments,
    name: "test_prompt_with_embedded_resource",
    title: "A prompt with a resource",
    description: "A prompt that holds the resource it names.",
    args: {
      resourceUri: { description: "URI of the resource", isRequired: true },
    },
    messages: async (_session, { resourceUri: uri = "" }) =>
      createPromptMessages(
        {
          type: "resource",
          resource: {
            uri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
        promptText("Please process the embedded resource above."),
      ),
  },
  {
    ...noArguments,
    name: "test_prompt_with_image",
    title: "A prompt with a picture",
    description: "A prompt that holds a picture.",
    messages: async () =>
      createPromptMessages(
        {
          type: "image",
          data: redPixel.toString("base64"),
          mimeType: "image/png",
        },
        promptText("Please analyze the image above."),
      ),
  },
];
