import { z } from "zod";
import { Deadline } from "../../plugin-api/index.js";
import type { RenderWatch } from "../../documents/index.js";
import { Pulse } from "../call/pulse.js";
import { untilCancelled } from "../call/until-cancelled.js";
import { contentTool, type Tool, type ToolCall } from "../tool.js";
import { templateId } from "./arguments.js";
import type { ToolServices } from "./services.js";
import { showRendered } from "./show-rendered.js";

const input = z.strictObject({
  templateId,
  formats: z
    .array(z.enum(["pdf", "html", "image", "mjml"]))
    .min(1)
    .meta({ description: "At least one, each once." }),
  data: z.looseObject({}).optional().meta({
    description:
      "The record that is merged into the template: the root object, with the fields and arrays that the definition reads.",
  }),
  imageType: z
    .enum(["png", "jpg"])
    .optional()
    .meta({ description: "Kind of the image.", default: "png" }),
  isTest: z.boolean().optional().meta({
    description: "True: watermarked and not counted. Use it while designing.",
    default: false,
  }),
  sendForSignature: z.boolean().optional().meta({
    description:
      "True: the PDF is sent to its signers. They get mail, so ask the person first. Not together with isTest.",
    default: false,
  }),
  esignConnection: z.string().optional().meta({
    description:
      "Id of the saved e-signature connection. Default: the template's, or the only one.",
  }),
  templateVersion: z.int().min(1, "must be at least 1").optional().meta({
    description: "A version's number. Default: the live definition.",
  }),
  preview: z.enum(["none", "first", "all"]).optional().meta({
    description:
      "Pictures in the answer, for you to look at: of the first page, of all (10 at most, some 2,000 tokens each), or none.",
    default: "first",
  }),
});

export function renderDocument(
  services: Pick<ToolServices, "renderDocument" | "renderTimeoutMs">,
): Tool {
  return contentTool({
    name: "render_document",
    title: "Render a document",
    description:
      "Merges data into a template. Answers with links to the files, with what was odd (missing values, images that could " +
      "not be had, what is too wide), and with a picture of the first page: look at it. The files end after 24 hours.",
    scope: "documents:write",
    input,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run(call) {
      const { caller, input: asked } = call;
      const { preview = "first", ...request } = asked;
      const { organizationId, userId: createdById } = caller;
      const pulse = new Pulse((note) => call.progress(note));
      try {
        const rendered = await services.renderDocument(
          { ...request, preview, organizationId, createdById },
          watchOf(services.renderTimeoutMs, call, pulse),
        );
        return showRendered(rendered);
      } finally {
        pulse.end();
      }
    },
  });
}

/** The render ends when its client does, and tells it of each phase. */
function watchOf(
  timeoutMs: number,
  { signal, log }: Pick<ToolCall<unknown>, "signal" | "log">,
  pulse: Pulse,
): RenderWatch {
  return {
    deadline: Deadline.after(timeoutMs, untilCancelled(signal)),
    log,
    onRecorded: () => undefined,
    onPhase: (phase) => pulse.begin(phase),
  };
}
