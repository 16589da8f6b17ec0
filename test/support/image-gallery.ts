import { before } from "mocha";
import sharp from "sharp";
import { type Config, parseConfig } from "../../config/index.js";
import { newCaller, type TestCaller } from "./caller.js";
import { exported } from "./exporting.js";
import type { TestService, TestServiceOptions } from "./service.js";
import { publish } from "./store-templates.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [
    {
      type: "image",
      src: "{{ image.src }}",
      alt: "Picture",
      collection: { collectionId: "image", path: "root.images" },
    },
  ],
};

/** Documents that are nothing but images. */
export class ImageGallery {
  private constructor(
    readonly caller: TestCaller,
    readonly templateId: string,
  ) {}

  /** A new organization with a template of images. */
  static async open(service: TestService): Promise<ImageGallery> {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller, { definition });
    return new ImageGallery(caller, templateId);
  }

  /** Renders a document of these images: the address of each as it stands in the html, and the report's failures. */
  async show(...sources: string[]): Promise<{
    shown: string[];
    failed: { source: string; reason: string }[];
  }> {
    const images = sources.map((src) => ({ src }));
    const { result, document } = await exported(this.caller, {
      templateId: this.templateId,
      formats: ["html"],
      data: { images },
    });
    const html = result.html?.htmlDocument ?? "";
    const shown = [...html.matchAll(/<img src="([^"]*)"/g)];
    return {
      shown: shown.map(([, address = ""]) => address),
      failed: failuresIn(document.metadata),
    };
  }
}

/** A gallery for the suite that calls this; made before its tests. */
export function useGallery(service: TestService): { now: ImageGallery } {
  const state: { now?: ImageGallery } = {};
  before(async () => {
    state.now = await ImageGallery.open(service);
  });
  return {
    get now() {
      if (state.now) return state.now;
      throw new Error("the gallery is not open yet");
    },
  };
}

/** May fetch from servers on the loopback addresses; other limits than the usual where they are given. */
export function fetchingFromLoopback(
  assets: Partial<Config["assets"]> = {},
): TestServiceOptions {
  return {
    config: {
      outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
      assets: { ...parseConfig({}).assets, ...assets },
    },
  };
}

/** An image of one colour. */
export function plain(background: string, width = 4, height = width) {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** The image in a data URL. */
export function imageOf(dataUrl = ""): { type: string; bytes: Buffer } {
  const [, type = "", base64 = ""] =
    /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? [];
  return { type, bytes: Buffer.from(base64, "base64") };
}

interface Reported {
  platen?: { report?: { failedAssets?: { source: string; reason: string }[] } };
}

function failuresIn(metadata: unknown): { source: string; reason: string }[] {
  // What the service itself wrote; a test that reads it fails where it has another form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (metadata as Reported).platen?.report?.failedAssets ?? [];
}
