import sharp from "sharp";
import { before } from "mocha";
import type { DocumentToSign } from "../../core/documents/index.js";
import { errorOf, newCaller, type TestCaller } from "./caller.js";
import { ample, sharedRenderer } from "./renderer.js";
import { replies } from "./replies.js";
import { type TestService, useService } from "./service.js";
import { FakeSigning } from "./fake-signing.js";
import { publish } from "./store-templates.js";

/** A service whose documents are sent for signature to a fake that accepts everything. */
export interface DocumentsToSign {
  service: TestService;
  signing: FakeSigning;
  caller: () => TestCaller;
  request: (template: object, body?: object) => Promise<object>;
  /** The document that was sent. */
  sent: (template: object, body?: object) => Promise<DocumentToSign>;
  refusal: (template: object, body?: object) => Promise<string>;
}

export function useDocumentsToSign(): DocumentsToSign {
  const signing = new FakeSigning();
  const service = useService({ replace: signing.register });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const request = async (template: object, body: object = {}) => {
    const definition = { schema: [], components: [], ...template };
    const templateId = await publish(service.store, caller, { definition });
    const asked = { templateId, formats: ["pdf"], sendForSignature: true };
    return { ...asked, ...body };
  };
  return {
    service,
    signing,
    caller: () => caller,
    request,
    sent: async (template, body) => {
      const asked = await request(template, body);
      await replies.exported(await caller.post("/api/export", asked));
      const document = signing.documents.at(-1);
      if (!document) throw new Error("nothing was sent");
      return document;
    },
    refusal: async (template, body) =>
      errorOf(await caller.post("/api/export", await request(template, body))),
  };
}

/** A field that nobody overlooks. */
export function signField(name: string, more: object = {}): object {
  return {
    type: "sign-field",
    field: "signature",
    name,
    submitter: "Buyer",
    style: { "background-color": "#ff00ff", border: "1pt solid #ff00ff" },
    ...more,
  };
}

/** Edges in points, from the page's top left corner. */
export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function edgesOf(
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
): Edges {
  return {
    left: x * widthPt,
    top: y * heightPt,
    right: (x + w) * widthPt,
    bottom: (y + h) * heightPt,
  };
}

const pixelsPerPoint = 4;

/** The edges of all that such fields have drawn on a page. */
export async function drawnEdges(pdf: Buffer, page: number): Promise<Edges> {
  const renderer = await sharedRenderer();
  const [image] = await renderer.images({
    pdf,
    type: "png",
    pages: String(page),
    scale: (pixelsPerPoint * 72) / 96,
    deadline: ample(),
  });
  const { data, info } = await sharp(image?.bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const found = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
  for (let at = 0; at < data.length; at += 3) {
    if (data[at]! < 200 || data[at + 1]! > 80 || data[at + 2]! < 200) continue;
    const pixel = at / 3;
    const [x, y] = [pixel % info.width, Math.floor(pixel / info.width)];
    found.left = Math.min(found.left, x / pixelsPerPoint);
    found.right = Math.max(found.right, (x + 1) / pixelsPerPoint);
    found.top = Math.min(found.top, y / pixelsPerPoint);
    found.bottom = Math.max(found.bottom, (y + 1) / pixelsPerPoint);
  }
  return found;
}
