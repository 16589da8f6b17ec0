import sharp from "sharp";
import type {
  ImagesJob,
  PageImage,
  PdfJob,
  PrintedPdf,
  Renderer,
  Screenshot,
  ScreenshotJob,
} from "../../core/rendering/index.js";
import { ample, sharedRenderer } from "../support/renderer.js";

// Jobs of the renderer that all tests share, or of one that a test has started.

export async function print(
  html: string,
  more: Partial<PdfJob> = {},
  renderer?: Renderer,
): Promise<PrintedPdf> {
  const printer = renderer ?? (await sharedRenderer());
  return printer.pdf({ html, deadline: ample(), ...more });
}

/** A screenshot of 300 px, one pixel for each of them. */
export async function shoot(
  html: string,
  more: Partial<ScreenshotJob> = {},
  renderer?: Renderer,
): Promise<Screenshot> {
  const printer = renderer ?? (await sharedRenderer());
  const shape = { widthPx: 300, type: "png", scale: 1 } as const;
  return printer.screenshot({ html, ...shape, deadline: ample(), ...more });
}

/** Pictures of all pages, one pixel for each CSS pixel. */
export async function draw(
  pdf: Buffer,
  more: Partial<ImagesJob> = {},
): Promise<PageImage[]> {
  const renderer = await sharedRenderer();
  const shape = { type: "png", pages: "all", scale: 1 } as const;
  return renderer.images({ pdf, ...shape, deadline: ample(), ...more });
}

/** What a job fails with; null when it does not. */
export async function failure(job: Promise<unknown>): Promise<unknown> {
  return job.then(
    () => null,
    (error: unknown) => error,
  );
}

/** The colors of an image's pixels. */
export async function readPixels(image: Buffer | undefined) {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const first = (y * info.width + x) * 3;
    return [...data.subarray(first, first + 3)];
  };
  return { data, width: info.width, height: info.height, at };
}
