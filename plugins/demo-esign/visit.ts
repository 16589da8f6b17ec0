import { timingSafeEqual } from "node:crypto";
import type {
  EsignContext,
  PageVisit,
  ShownPage,
} from "../../core/plugin-api/index.js";
import {
  type DemoRequest,
  isTurnOf,
  type KeptAnswer,
  statusOf,
} from "./kept-request.js";
import { RequestFolder } from "./request-folder.js";
import { noPage } from "./page/frame.js";
import { fieldsToFill } from "./page/sign-form.js";
import { signPage } from "./page/sign-page.js";

/** `<request>/<signer's token>`, and the document below it. */
export async function visit(
  context: EsignContext<unknown>,
  { method, path, form }: PageVisit,
): Promise<ShownPage> {
  const requests = new RequestFolder(await context.folder());
  const [id = "", token = "", file, ...rest] = path.split("/");
  const demo = await requests.read(id);
  const place = demo === null ? -1 : placeOf(demo, token);
  if (demo === null || place === -1 || rest.length > 0) return missing();
  if (file === "document.pdf")
    return {
      status: 200,
      mimeType: "application/pdf",
      body: await requests.pdfOf(id),
    };
  if (file !== undefined) return missing();
  if (method === "POST") return answer(requests, demo, place, form);
  await requests.open(id, place);
  return shown(demo, place, null);
}

async function answer(
  requests: RequestFolder,
  demo: DemoRequest,
  place: number,
  form: PageVisit["form"],
): Promise<ShownPage> {
  const { id } = demo.request;
  const isOpen = statusOf(demo, new Date()) === "pending";
  if (!isOpen || !isTurnOf(demo, place)) return shown(demo, place, null);
  const given = answerIn(demo, place, form);
  if (typeof given === "string") return shown(demo, place, given);
  await requests.answer(id, place, given);
  const after = await requests.require(id);
  return { ...shown(after, place, null), notice: { externalId: id } };
}

/** Or what is missing in it. */
function answerIn(
  { request }: DemoRequest,
  place: number,
  form: PageVisit["form"],
): KeptAnswer | string {
  const at = new Date().toISOString();
  const reason = (form["reason"] ?? "").slice(0, 500);
  if (form["act"] === "decline")
    return { kind: "declined", at, reason, values: {} };
  if (form["act"] !== "sign") return "Press one of the buttons.";
  const role = request.signers[place]?.role ?? "";
  const filled = fieldsToFill(request.fields, role).map((field, number) => ({
    ...field,
    value: (form[`field-${number}`] ?? "").slice(0, 500),
  }));
  const missed = filled.find(({ required, value }) => required && value === "");
  if (missed) return `"${missed.name}" is missing.`;
  const values = Object.fromEntries(
    filled.map(({ name, value }) => [name, value]),
  );
  return { kind: "signed", at, reason: "", values };
}

function placeOf({ request }: DemoRequest, token: string): number {
  return request.signers.findIndex((one) => {
    const own = Buffer.from(one.token);
    const given = Buffer.from(token);
    return own.length === given.length && timingSafeEqual(own, given);
  });
}

function shown(
  demo: DemoRequest,
  place: number,
  said: string | null,
): ShownPage {
  const body = signPage(demo, place, { now: new Date(), said });
  return { status: said === null ? 200 : 400, mimeType: "text/html", body };
}

function missing(): ShownPage {
  return { status: 404, mimeType: "text/html", body: noPage() };
}
