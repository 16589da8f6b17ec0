import type { ImagesJob, PageImage } from "../jobs.js";
import { encodeImage } from "./encode-image.js";
import { DEFAULT_SCALE } from "./picture-limits.js";
import type { Rasterizer } from "./rasterizer.js";

/** Draws the chosen pages; one page is encoded while the next is drawn. */
export async function drawPageImages(
  rasterizer: Rasterizer,
  job: ImagesJob,
): Promise<PageImage[]> {
  const { pdf, type, scale = DEFAULT_SCALE, quality, deadline } = job;
  const images: Promise<PageImage>[] = [];
  await rasterizer.draw(
    { pdf, choice: job.pages, scale },
    deadline,
    (drawn) => {
      const { page, width: widthPx, height: heightPx } = drawn;
      const image = encodeImage(drawn, type, quality).then((bytes) => ({
        page,
        widthPx,
        heightPx,
        bytes,
      }));
      image.catch(() => null);
      images.push(image);
    },
  );
  return Promise.all(images);
}
