import { randomUUID } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import type { DependencyContainer } from "tsyringe";
import {
  type DocumentToSign,
  type MergedSigning,
  type SignatureView,
  type Signing,
  type SigningPlan,
  type SigningRequest,
  SIGNING,
} from "../../core/documents/index.js";
import type { FieldBox, SignRequest } from "../../core/plugin-api/index.js";
import { readError, newCaller, type TestCaller, replies } from "./caller.js";
import { ample, sharedRenderer } from "./renderer.js";
import { type TestService, useService } from "./service.js";

/** A service whose documents are sent for signature to a fake that accepts everything. */
interface DocumentsToSign {
  service: TestService;
  signing: FakeSigning;
  caller: () => TestCaller;
  request: (template: object, body?: object) => Promise<object>;
  /** The document that was sent. */
  sent: (template: object, body?: object) => Promise<DocumentToSign>;
  rejection: (template: object, body?: object) => Promise<string>;
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
    const templateId = await caller.publish({ definition });
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
    rejection: async (template, body) =>
      readError(
        await caller.post("/api/export", await request(template, body)),
      ),
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
interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function getEdges(
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

/** A PDF of empty pages. */
export async function emptyPdf(pages = 1): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) pdf.addPage([595, 842]);
  return pdf.save();
}

export function box(role: string, changes: Partial<FieldBox> = {}): FieldBox {
  return {
    id: randomUUID(),
    name: `Signature of ${role}`,
    role,
    type: "signature",
    required: true,
    page: 1,
    x: 0.1,
    y: 0.5,
    w: 0.3,
    h: 0.05,
    ...changes,
  };
}

/** A contract of two pages that a buyer signs, and then a seller. */
export async function signRequest(
  changes: Partial<SignRequest> = {},
): Promise<SignRequest> {
  return {
    requestId: randomUUID(),
    title: "Contract 7",
    pdf: { name: "contract-7", bytes: await emptyPdf(2), pages: 2 },
    fields: [
      box("Buyer"),
      box("Seller", { page: 2 }),
      box("Buyer", { name: "Town", type: "text", y: 0.6, required: false }),
    ],
    submitters: [
      { role: "Buyer", email: "buyer@example.com", name: "Ada", order: 0 },
      { role: "Seller", email: "seller@example.com", order: 1 },
    ],
    ...changes,
  };
}

/** A fake of the signatures capability: records its calls and accepts everything. */
class FakeSigning implements Signing {
  readonly documents: DocumentToSign[] = [];
  readonly orders: MergedSigning[] = [];
  readonly requests: SigningRequest[] = [];
  /** Called by the steps of their names; what they throw is refused. */
  onPrepare: () => void = () => {};
  onComplete: () => void = () => {};
  onStart: () => void = () => {};

  readonly register = (container: DependencyContainer): void => {
    container.register(SIGNING, { useValue: this });
  };

  async prepare(request: SigningRequest): Promise<SigningPlan> {
    this.onPrepare();
    this.requests.push(request);
    return {
      settle: (merged) => {
        this.onComplete();
        this.orders.push(merged);
        return {
          record: async (_tx, document) => {
            this.documents.push(document);
            return `sig_${this.documents.length}`;
          },
        };
      },
    };
  }

  async startNow(_organizationId: string, id: string): Promise<SignatureView> {
    this.onStart();
    return { ...createView(id), status: "pending" };
  }

  async view(_organizationId: string, id: string): Promise<SignatureView> {
    return createView(id);
  }

  nudge(): void {}
}

function createView(id: string): SignatureView {
  return { id, provider: "stand-in", status: "starting", submitters: [] };
}
