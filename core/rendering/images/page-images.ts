import type { ImagesJob, PageImage } from "../jobs.js";
import { encodeImage } from "./encode-image.js";
import { DEFAULT_SCALE } from "./picture-limits.js";
import type { RasterPage } from "./raster-messages.js";
import type { Rasterizer } from "./rasterizer.js";
import { stackPages } from "./stack-pages.js";

/** Draws the chosen pages; one page is encoded while the next is drawn. */
export async function drawPageImages(
  rasterizer: Rasterizer,
  job: ImagesJob,
): Promise<PageImage[]> {
  if (job.isSingle) return [await drawSingle(rasterizer, job)];
  const images: Promise<PageImage>[] = [];
  await drawEach(rasterizer, job, (drawn) => {
    const image = encoded(drawn, job);
    image.catch(() => null);
    images.push(image);
  });
  return Promise.all(images);
}

async function drawSingle(
  rasterizer: Rasterizer,
  job: ImagesJob,
): Promise<PageImage> {
  const pages: RasterPage[] = [];
  await drawEach(rasterizer, job, (drawn) => pages.push(drawn));
  return encoded(stackPages(pages), job);
}

function drawEach(
  rasterizer: Rasterizer,
  { pdf, pages: choice, scale = DEFAULT_SCALE, isSingle, deadline }: ImagesJob,
  take: (drawn: RasterPage) => void,
): Promise<void> {
  const isOne = isSingle ?? false;
  return rasterizer.draw({ pdf, choice, scale, isOne }, deadline, take);
}

async function encoded(
  drawn: RasterPage,
  { type, quality }: ImagesJob,
): Promise<PageImage> {
  const { page, width: widthPx, height: heightPx } = drawn;
  const bytes = await encodeImage(drawn, type, quality);
  return { page, widthPx, heightPx, bytes };
}
