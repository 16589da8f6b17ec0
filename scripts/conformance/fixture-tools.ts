import { setTimeout as pause } from "node:timers/promises";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PlatenError } from "../../core/plugin-api/index.js";
import {
  contentTool,
  pictureBlock,
  textBlock,
  type Tool,
} from "../../core/mcp/index.js";

// The tools that the conformance suite calls by name. No service offers them but the one that `main.ts` starts.

/** A red pixel. */
export const redPixel = Buffer.from(
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

export const fixtureTools: readonly Tool[] = [
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
