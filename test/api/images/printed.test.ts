import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { exported, useService } from "../../support/service.js";
import {
  fetchingFromLoopback,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { publish } from "../../support/store.js";

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#ff0000"/></svg>';
const blue = await plain("#0000ff", 40).png().toBuffer();
const lime = await plain("#00ff00", 40).png().toBuffer();

describe("remote images in print", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const server = useImageServer({
    "/header.svg": { body: svg },
    "/text.png": { body: blue },
    "/paper.png": { body: lime },
  });

  it("are drawn in the header, in the text and in the background", async () => {
    const header = {
      components: [{ type: "image", src: server.at("/header.svg") }],
    };
    const templateId = await publish(service.store, gallery.now.caller, {
      definition: {
        schema: [],
        page: {
          margin: "20mm",
          header,
          background: { image: server.at("/paper.png"), fit: "fill" },
        },
        components: [{ type: "image", src: server.at("/text.png") }],
      },
    });
    const job = { templateId, formats: ["image"] };
    const { result } = await exported(gallery.now.caller, job);
    const file = await fetch(result.image?.url ?? "");
    const page = sharp(Buffer.from(await file.arrayBuffer()));
    const colours = await readColors(page);
    for (const colour of ["f00", "00f", "0f0"])
      expect([...colours], colour).to.include(colour);
  });
});

/** Every colour of which there is some area, in one hexadecimal digit for each part. */
async function readColors(
  page: ReturnType<typeof sharp>,
): Promise<Set<string>> {
  const { data, info } = await page
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colours = new Set<string>();
  for (let at = 0; at + 3 <= data.length; at += info.channels * 7)
    colours.add(
      [0, 1, 2]
        .map((part) => ((data[at + part] ?? 0) >> 4).toString(16))
        .join(""),
    );
  return colours;
}
