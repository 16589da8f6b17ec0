import type { Deadline } from "../contract/index.js";
import type { Renderer } from "../render/index.js";
import {
  type Artifact,
  htmlArtifact,
  imageArtifacts,
  pdfArtifact,
} from "./artifact.js";
import type { PrintableDocument } from "./printable-document.js";
import type { PhaseTimer } from "./phase-timer.js";
import type { SettledRequest } from "./render-request.js";
import type { RenderRun } from "./render-run.js";

/** The document in every format that was asked for, in that order; printed once for pdf and image together. */
export async function printArtifacts(
  renderer: Renderer,
  document: PrintableDocument,
  { request, timer }: Pick<RenderRun, "request" | "timer">,
  deadline: Deadline,
): Promise<Artifact[]> {
  const isPrinted = request.formats.some((format) => format !== "html");
  const pdf = isPrinted
    ? await print(renderer, document, deadline, timer)
    : null;
  const artifacts: Artifact[] = [];
  for (const format of request.formats) {
    if (format === "html") artifacts.push(htmlArtifact(document.html));
    if (format === "pdf" && pdf) artifacts.push(pdfArtifact(pdf));
    if (format === "image" && pdf)
      artifacts.push(
        ...(await timer.time("draw", () =>
          draw(renderer, pdf, request, deadline),
        )),
      );
  }
  return artifacts;
}

async function print(
  renderer: Renderer,
  document: PrintableDocument,
  deadline: Deadline,
  timer: PhaseTimer,
): Promise<Buffer> {
  deadline.check("printing");
  const { bytes, phases } = await renderer.pdf({ ...document, deadline });
  timer.add("queue", phases.queueMs);
  timer.add("print", phases.printMs + (phases.overlayMs ?? 0));
  return bytes;
}

/** One page and no choice of pages: the image is the document's, and carries no page number. */
async function draw(
  renderer: Renderer,
  pdf: Buffer,
  {
    imageType,
    renderOptions,
  }: Pick<SettledRequest, "imageType" | "renderOptions">,
  deadline: Deadline,
): Promise<Artifact[]> {
  const pages = renderOptions?.pages;
  const images = await renderer.images({
    pdf,
    type: imageType,
    pages: pages ?? "1",
    deadline,
  });
  const artifacts = imageArtifacts(imageType, images);
  if (pages !== undefined) return artifacts;
  return artifacts.map(({ page: _page, ...artifact }) => artifact);
}
