import type { SavedFile } from "./outputs.js";
import type { SignatureView } from "./signing.js";

/** A stored file, as the response of a render describes it. */
export interface FileResult {
  url: string;
  sizeBytes: number;
  mimeType: string;
  checksum: string;
  filename: string;
  storageKey: string;
}

export interface ImageResult extends FileResult {
  /** All requested pages; the image itself is the first of them. */
  pages?: (FileResult & { page: number })[];
}

export interface HtmlResult {
  htmlDocument: string;
  checksum: string;
  mimeType: "text/html";
  url: "";
  sizeBytes: number;
}

export interface MjmlResult {
  mjmlDocument: string;
  checksum: string;
  mimeType: "text/mjml";
  url: "";
  sizeBytes: number;
}

/** Keyed by format (specification: Render result entry). */
export interface RenderResult {
  pdf?: FileResult;
  html?: HtmlResult;
  image?: ImageResult;
  mjml?: MjmlResult;
  /** Only for a document that was sent for signature. */
  signature?: SignatureView;
}

export function toRenderResult(saved: readonly SavedFile[]): RenderResult {
  const of = (format: string) =>
    saved.filter(({ artifact }) => artifact.format === format);
  const [pdf] = of("pdf");
  const [html] = of("html");
  const images = of("image");
  const [mjml] = of("mjml");
  return {
    ...(pdf && { pdf: fileResult(pdf) }),
    ...(html && { html: htmlResult(html) }),
    ...(images[0] && { image: imageResult(images[0], images) }),
    ...(mjml && { mjml: mjmlResult(mjml) }),
  };
}

function fileResult({ output, filename }: SavedFile): FileResult {
  const { url, sizeBytes, mimeType, checksum, storageKey } = output;
  return { url, sizeBytes, mimeType, checksum, filename, storageKey };
}

function htmlResult({ output, artifact }: SavedFile): HtmlResult {
  const { checksum, sizeBytes } = output;
  const htmlDocument = artifact.bytes.toString();
  return { htmlDocument, checksum, mimeType: "text/html", url: "", sizeBytes };
}

function mjmlResult({ output, artifact }: SavedFile): MjmlResult {
  const { checksum, sizeBytes } = output;
  const mjmlDocument = artifact.bytes.toString();
  return { mjmlDocument, checksum, mimeType: "text/mjml", url: "", sizeBytes };
}

function imageResult(
  first: SavedFile,
  images: readonly SavedFile[],
): ImageResult {
  if (first.artifact.page === undefined) return fileResult(first);
  return {
    ...fileResult(first),
    pages: images.map((image) => ({
      page: image.artifact.page ?? 1,
      ...fileResult(image),
    })),
  };
}
