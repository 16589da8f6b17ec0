import type { IncomingMessage, ServerResponse } from "node:http";
import sharp from "sharp";
import { type Config, parseConfig } from "../../config/index.js";
import { newCaller, type TestCaller } from "./caller.js";
import { useListener } from "./fakes/fake-server.js";
import {
  exported,
  type TestService,
  type TestServiceOptions,
} from "./service.js";

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
    const templateId = await caller.publish({ definition });
    return new ImageGallery(caller, templateId);
  }

  /** Renders a document of these images. @returns the address of each image in the html, and the render report */
  async show(...sources: string[]): Promise<{
    shown: string[];
    failed: ReportedImage[];
    changed: ReportedImage[];
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
      failed: readReport(document.metadata).failedAssets ?? [],
      changed: readReport(document.metadata).changedAssets ?? [],
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
export function parseImage(dataUrl = ""): { type: string; bytes: Buffer } {
  const [, type = "", base64 = ""] =
    /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? [];
  return { type, bytes: Buffer.from(base64, "base64") };
}

interface ReportedImage {
  source: string;
  reason: string;
}

interface ImageReport {
  failedAssets?: ReportedImage[];
  changedAssets?: ReportedImage[];
}

function readReport(metadata: unknown): ImageReport {
  // What the service itself wrote; a test that reads it fails where it has another form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { platen } = metadata as { platen?: { report?: ImageReport } };
  return platen?.report ?? {};
}

interface ImageServer {
  at(path: string): string;
  /** The paths that were asked for. */
  readonly requests: string[];
}

/** What a server sends for a path; nothing is 404. A function answers by itself, or never. */
type Served =
  | { body: Uint8Array | string; headers?: Record<string, string> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server of images for the suite that calls this. */
export function useImageServer(files: Record<string, Served>): ImageServer {
  const requests: string[] = [];
  const server = useListener((request, response) => {
    requests.push(request.url ?? "");
    const served = files[request.url ?? ""];
    if (served === undefined) response.writeHead(404).end("none");
    else if (typeof served === "function") served(request, response);
    else response.writeHead(200, served.headers ?? {}).end(served.body);
  });
  return { requests, at: (path) => server.url + path };
}

const kinds = {
  mp4: { format: "Mp4OutputFormat", codec: "avc" },
  mov: { format: "MovOutputFormat", codec: "avc" },
  webm: { format: "WebMOutputFormat", codec: "vp9" },
} as const;

/** As H.264 is told apart: its settings, which no frame here follows. */
const avcSettings = Uint8Array.from([
  1, 66, 0, 31, 255, 225, 0, 4, 0x67, 66, 0, 31, 1, 0, 4, 0x68, 0xce, 0x3c,
  0x80,
]);

const decoders = {
  avc: { codec: "avc1.42001f", description: avcSettings },
  vp9: { codec: "vp09.00.10.08" },
} as const;

/** A whole file of that kind, 640 by 360, whose frames hold nothing. */
export async function createVideo(
  kind: keyof typeof kinds,
  { seconds = 2, bytesPerFrame = 100 } = {},
): Promise<Buffer> {
  // By the same door as the service, which loads it when it is needed.
  const library = await import("mediabunny");
  const { format, codec } = kinds[kind];
  const target = new library.BufferTarget();
  const output = new library.Output({ format: new library[format](), target });
  const source = new library.EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { frameRate: 10 });
  await output.start();
  const decoderConfig = {
    ...decoders[codec],
    codedWidth: 640,
    codedHeight: 360,
  };
  for (let frame = 0; frame < seconds * 10; frame += 1) {
    const data = new Uint8Array(bytesPerFrame).fill(frame + 1);
    const type = frame === 0 ? "key" : "delta";
    const packet = new library.EncodedPacket(data, type, frame / 10, 0.1);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (target.buffer) return Buffer.from(target.buffer);
  throw new Error("no video was made");
}
