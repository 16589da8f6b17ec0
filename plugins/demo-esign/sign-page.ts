import { timingSafeEqual } from "node:crypto";
import type {
  EsignContext,
  PageVisit,
  ShownPage,
} from "../../core/plugin-api/index.js";
import { clock } from "../../core/plugin-api/index.js";
import {
  canSignNow,
  demoNotice,
  type DemoRequest,
  formatPages,
  formatTime,
  getRequestStatus,
  getSignerStatus,
  RequestStore,
  type StoredAnswer,
  type StoredField,
  type StoredRequest,
  type StoredSigner,
} from "./requests.js";

/** Serves `<request>/<signer's token>`, and `document.pdf` below it. */
export async function handlePageVisit(
  context: EsignContext<unknown>,
  { method, path, form }: PageVisit,
): Promise<ShownPage> {
  const requests = new RequestStore(await context.folder());
  const [id = "", token = "", file, ...rest] = path.split("/");
  const demo = await requests.find(id);
  const signer = demo === null ? -1 : findSigner(demo, token);
  if (demo === null || signer === -1 || rest.length > 0)
    return renderNotFound();
  if (file === "document.pdf")
    return {
      status: 200,
      mimeType: "application/pdf",
      body: await requests.readPdf(id),
    };
  if (file !== undefined) return renderNotFound();
  if (method === "POST") return submitAnswer(requests, demo, signer, form);
  await requests.markOpened(id, signer);
  return renderSignPage(demo, signer);
}

function findSigner({ request }: DemoRequest, token: string): number {
  const given = Buffer.from(token);
  return request.signers.findIndex((signer) => {
    const expected = Buffer.from(signer.token);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

async function submitAnswer(
  requests: RequestStore,
  demo: DemoRequest,
  signer: number,
  form: PageVisit["form"],
): Promise<ShownPage> {
  const { id } = demo.request;
  const isOpen = getRequestStatus(demo, clock.date()) === "pending";
  if (!isOpen || !canSignNow(demo, signer)) return renderSignPage(demo, signer);
  const answer = readAnswer(demo, signer, form);
  if (typeof answer === "string") return renderSignPage(demo, signer, answer);
  await requests.answer(id, signer, answer);
  const updated = await requests.get(id);
  return { ...renderSignPage(updated, signer), notice: { externalId: id } };
}

/** Returns the answer, or a message that says what is missing in the form. */
function readAnswer(
  { request }: DemoRequest,
  signer: number,
  form: PageVisit["form"],
): StoredAnswer | string {
  const at = clock.date().toISOString();
  const reason = (form["reason"] ?? "").slice(0, 500);
  if (form["act"] === "decline")
    return { kind: "declined", at, reason, values: {} };
  if (form["act"] !== "sign") return "Press one of the buttons.";
  const role = request.signers[signer]?.role ?? "";
  const values: Record<string, string> = {};
  for (const [index, field] of findInputFields(
    request.fields,
    role,
  ).entries()) {
    const value = (form[`field-${index}`] ?? "").slice(0, 500);
    if (field.required && value === "") return `"${field.name}" is missing.`;
    values[field.name] = value;
  }
  return { kind: "signed", at, reason: "", values };
}

const drawnTypes = ["signature", "initials", "date"];

/** The fields that a signer fills in, each name once; the others are drawn. */
function findInputFields(
  fields: readonly StoredField[],
  role: string,
): StoredField[] {
  const ownFields = fields.filter(
    (field) => field.role === role && !drawnTypes.includes(field.type),
  );
  const byName = new Map<string, StoredField>();
  for (const field of ownFields) {
    const required =
      field.required || byName.get(field.name)?.required === true;
    byName.set(field.name, { ...field, required });
  }
  return [...byName.values()];
}

function renderNotFound(): ShownPage {
  const body = renderPage(
    "Nothing to sign",
    `<h1>There is nothing to sign here</h1>
<p class="lead">The link is incomplete, or the request no longer exists. Open the original link again, or ask the person who sent it.</p>`,
  );
  return { status: 404, mimeType: "text/html", body };
}

/** The page on which a signer signs, or sees the state of the request. @param problem what was wrong with the submitted form. */
function renderSignPage(
  demo: DemoRequest,
  signer: number,
  problem?: string,
): ShownPage {
  const { request } = demo;
  const stored = request.signers[signer];
  return {
    status: problem === undefined ? 200 : 400,
    mimeType: "text/html",
    body: renderPage(
      request.title,
      stored ? renderContent(demo, signer, stored, problem) : "",
    ),
  };
}

const closedHeadings = {
  completed: "Everybody has signed",
  declined: "Somebody has declined to sign",
  expired: "The time to sign is over",
  canceled: "The sender has canceled this request",
};

function renderContent(
  demo: DemoRequest,
  index: number,
  signer: StoredSigner,
  problem: string | undefined,
): string {
  const { request } = demo;
  const signerStatus = getSignerStatus(demo, index);
  if (signerStatus === "completed") return renderThanks(demo, index, signer);
  if (signerStatus === "declined")
    return renderClosed(
      demo,
      "You declined to sign",
      `The sender of “${request.title}” has been informed and will not ask you again.`,
    );
  const status = getRequestStatus(demo, clock.date());
  if (status !== "pending")
    return renderClosed(demo, closedHeadings[status], `“${request.title}”`);
  const message =
    request.message === ""
      ? ""
      : `\n<p class="message">${escapeHtml(request.message)}</p>`;
  const greeting = `<p class="kicker">${escapeHtml(signer.name)}, you are asked to sign as ${escapeHtml(signer.role)}</p>
<h1>${escapeHtml(request.title)}</h1>${message}
${renderDocumentLink(request, signer)}`;
  if (!canSignNow(demo, index))
    return `${greeting}
<h2>It is not your turn yet</h2>
<p class="lead">Others sign before you. Open this link again when they have.</p>
${renderSigners(demo)}`;
  const alert =
    problem === undefined
      ? ""
      : `<p class="problem" role="status">${escapeHtml(problem)}</p>`;
  return `${greeting}
${alert}
${renderForm(request, signer)}`;
}

/** Declining is collapsed, because signing is what people come for. */
function renderForm(
  { fields }: StoredRequest,
  { name, role, values }: StoredSigner,
): string {
  const inputs = findInputFields(fields, role).map((field, at) =>
    renderInput(field, at, values[field.name]),
  );
  return `<form method="post">
${inputs.length > 0 ? "<h2>Fill in</h2>" : ""}${inputs.join("\n")}
<h2>Your signature</h2>
<p class="ink">${escapeHtml(name)}</p>
<button name="act" value="sign">Sign the document</button>
</form>
<details>
<summary>I do not want to sign</summary>
<form method="post">
<label>Why not <small>the sender reads it</small><textarea name="reason" rows="3" maxlength="500"></textarea></label>
<button class="plain" name="act" value="decline">Decline to sign</button>
</form>
</details>`;
}

function renderInput(field: StoredField, at: number, value: unknown): string {
  const { name, type, required, options } = field;
  const attributes = `name="field-${at}"${required ? " required" : ""}`;
  const label = `${escapeHtml(name)}${required ? "" : " <small>optional</small>"}`;
  const text = ["string", "number"].includes(typeof value) ? String(value) : "";
  if (type === "checkbox")
    return `<label><input type="checkbox" value="X" ${attributes}${value === true ? " checked" : ""}>${label}</label>`;
  if (type === "select") {
    const choices = options.map(
      (option) =>
        `<option${option === text ? " selected" : ""}>${escapeHtml(option)}</option>`,
    );
    return `<label>${label}<select ${attributes}><option></option>${choices.join("")}</select></label>`;
  }
  const inputType =
    type === "number" ? 'type="number" step="any"' : 'type="text"';
  return `<label>${label}<input ${inputType} maxlength="500" value="${escapeHtml(text)}" ${attributes}></label>`;
}

function renderThanks(
  demo: DemoRequest,
  index: number,
  signer: StoredSigner,
): string {
  const at = formatTime(demo.answers[index]?.at ?? clock.date().toISOString());
  const isComplete = demo.answers.every((answer) => answer?.kind === "signed");
  const next = isComplete
    ? "Everybody has signed: the sender now has the signed document."
    : "Others have not signed yet. There is nothing more for you to do.";
  return `<div class="end">${checkIcon}</div>
<h1>Thank you, ${escapeHtml(signer.name)}</h1>
<p class="lead">You signed “${escapeHtml(demo.request.title)}” on ${at}. ${next}</p>
${renderReturnLink(demo.request)}${renderDocumentLink(demo.request, signer)}
${renderSigners(demo)}`;
}

/** A link and no redirect, so that the page stays the proof that the signature was accepted. */
function renderReturnLink({ redirectUrl }: StoredRequest): string {
  if (redirectUrl === null) return "";
  const { host } = new URL(redirectUrl);
  return `<a class="return" href="${escapeHtml(redirectUrl)}" rel="noreferrer">Continue to ${escapeHtml(host)}</a>\n`;
}

function renderClosed(
  demo: DemoRequest,
  heading: string,
  text: string,
): string {
  return `<div class="end bad">${crossIcon}</div>
<h1>${heading}</h1>
<p class="lead">${escapeHtml(text)}</p>
${renderSigners(demo)}`;
}

function renderDocumentLink(
  { pages, sizeBytes }: StoredRequest,
  { token }: StoredSigner,
): string {
  const size = `${Math.max(1, Math.round(sizeBytes / 1024))} kB`;
  return `<a class="document" href="${escapeHtml(token)}/document.pdf" target="_blank" rel="noreferrer">${documentIcon}<span><b>Read the document</b><span>PDF, ${formatPages(pages)}, ${size}</span></span></a>`;
}

const statusLabels = {
  waiting: "signs later",
  sent: "signs now",
  opened: "signs now",
  completed: "signed",
  declined: "declined",
};

function renderSigners(demo: DemoRequest): string {
  const rows = demo.request.signers.map(({ name, role }, index) => {
    const label = statusLabels[getSignerStatus(demo, index)];
    const at = demo.answers[index]?.at;
    const status = at ? `${label}<br>${formatTime(at)}` : label;
    return `<li><span>${escapeHtml(name)}<small>${escapeHtml(role)}</small></span><span>${status}</span></li>`;
  });
  return `<h2>Signers</h2>
<ul class="signers">${rows.join("")}</ul>`;
}

/** A whole page. @param content HTML whose texts are escaped. */
function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main class="card">
<p class="mark">${demoNotice}</p>
<div class="content">
${content}
</div>
</main>
<p class="foot">This page demonstrates signing. It does not verify anyone's identity.</p>
</body>
</html>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(
    /[&<>"']/g,
    (character) => entities[character] ?? character,
  );
}

const checkIcon =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>';
const crossIcon =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17"/></svg>';
const documentIcon =
  '<svg viewBox="0 0 28 34" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M3 2h15l7 7v23H3zM18 2v7h7M8 17h12M8 22h12M8 27h7"/></svg>';

/** Matches the service's other pages for people without an account. */
const styles = `
:root{color-scheme:light dark;--ground:#f3f1ec;--card:#fff;--ink:#1c2126;--soft:#59636d;--line:#e3dfd6;--tint:#f8f6f1;--accent:#0f5f59;--accent-ink:#fff;--press:#0a4642;--good:#1a7a3e;--bad:#b3261e;--warn:#fdf3dc;--warn-ink:#6b4a00;--shadow:0 1px 2px rgb(28 33 38/6%),0 12px 32px rgb(28 33 38/8%)}
@media (prefers-color-scheme:dark){:root{--ground:#121518;--card:#1b1f24;--ink:#eceff2;--soft:#a3adb7;--line:#31383f;--tint:#22272d;--accent:#6fd3c6;--accent-ink:#06231f;--press:#97e4da;--good:#74d494;--bad:#ff9c93;--warn:#3a2f14;--warn-ink:#f5d98f;--shadow:0 1px 2px rgb(0 0 0/40%),0 12px 32px rgb(0 0 0/35%)}}
*{box-sizing:border-box}
body{margin:0;padding:16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.card{max-width:560px;margin:8px auto 0;overflow:hidden;border:1px solid var(--line);border-radius:16px;background:var(--card);box-shadow:var(--shadow)}
.mark{margin:0;padding:10px 20px;background:var(--warn);color:var(--warn-ink);font-size:14px;font-weight:600;text-align:center}
.content{padding:24px 20px 28px}
.kicker{margin:0 0 4px;color:var(--soft);font-size:14px;font-weight:600}
h1{margin:0;font-size:26px;line-height:1.25;letter-spacing:-.01em}
h2{margin:28px 0 8px;font-size:16px;line-height:1.4}
.lead{margin:12px 0 0;color:var(--soft)}
.message{margin:16px 0 0;padding:2px 0 2px 14px;border-left:3px solid var(--line);white-space:pre-line}
.document{display:flex;align-items:center;gap:14px;margin:20px 0 0;padding:14px 16px;border:1px solid var(--line);border-radius:12px;background:var(--tint);color:inherit;text-decoration:none}
.document:hover{border-color:var(--accent)}
.document svg{flex:none;width:28px;height:34px;color:var(--accent)}
.document b{display:block}
.document span span{color:var(--soft);font-size:14px}
.problem{margin:20px 0 0;padding:12px 14px;border-radius:10px;background:var(--warn);color:var(--warn-ink);font-weight:600}
label{display:block;margin:14px 0 0;font-weight:600;font-size:15px}
label small{color:var(--soft);font-weight:400}
input:not([type=checkbox]),select,textarea{display:block;width:100%;margin:6px 0 0;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:var(--card);color:inherit;font:inherit;font-weight:400}
input[type=checkbox]{width:18px;height:18px;margin:0 8px 0 0;vertical-align:-3px;accent-color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.ink{margin:8px 0 0;padding:10px 14px;border:1px solid var(--line);border-radius:12px;font:italic 26px "Times New Roman",serif}
.return{display:block;text-align:center;text-decoration:none}
button,.return{width:100%;margin:20px 0 0;padding:13px 18px;border:0;border-radius:12px;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:600;cursor:pointer}
button:hover,.return:hover{background:var(--press)}
button.plain{border:1px solid var(--bad);background:none;color:var(--bad)}
details{margin:22px 0 0;color:var(--soft)}
summary{cursor:pointer}
.end{display:flex;align-items:center;justify-content:center;width:56px;height:56px;margin:0 0 16px;border-radius:50%;background:var(--tint);color:var(--good)}
.end.bad{color:var(--bad)}
.end svg{width:28px;height:28px}
.signers{margin:8px 0 0;padding:0;list-style:none;border:1px solid var(--line);border-radius:12px}
.signers li{display:flex;justify-content:space-between;gap:16px;padding:10px 14px}
.signers li+li{border-top:1px solid var(--line)}
.signers small{display:block;color:var(--soft)}
.signers span:last-child{color:var(--soft);text-align:right;font-size:14px}
.foot{max-width:560px;margin:14px auto 0;color:var(--soft);font-size:13px;text-align:center}
`.trim();
