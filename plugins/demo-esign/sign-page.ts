import {
  type DemoRequest,
  isTurnOf,
  type KeptField,
  signerStatus,
  statusOf,
} from "./kept-request.js";
import { demoMark } from "./words.js";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
.mark{background:#fff3cd;border:1px solid #c9a400;padding:.5rem .75rem;font-weight:600}
label{display:block;margin:.75rem 0}input:not([type=checkbox]),select{display:block;font:inherit;padding:.35rem;width:100%;box-sizing:border-box}
button{font:inherit;padding:.5rem 1.25rem;margin:.5rem .5rem .5rem 0}`;

/** The page on which a signer signs by a click, or reads why that cannot be done. All texts are escaped. */
export function signPage(
  demo: DemoRequest,
  place: number,
  { now, said }: { now: Date; said: string | null },
): string {
  const { request } = demo;
  const signer = request.signers[place];
  return page(
    request.title,
    `<h1>${escaped(request.title)}</h1>
<p>${escaped(signer?.name ?? "")} signs as ${escaped(signer?.role ?? "")}.</p>
${request.message === "" ? "" : `<p>${escaped(request.message)}</p>`}
<p><a href="${escaped(signer?.token ?? "")}/document.pdf" target="_blank">Read the document</a></p>
${said === null ? "" : `<p role="status"><strong>${escaped(said)}</strong></p>`}
${actionsOf(demo, place, now)}`,
  );
}

/** For a page that is not there. */
export function noPage(): string {
  return page(
    "Not found",
    "<h1>There is nothing to sign here</h1><p>Check the address.</p>",
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head>
<body><p class="mark">${demoMark}</p>
${body}
</body></html>`;
}

function actionsOf(demo: DemoRequest, place: number, now: Date): string {
  const status = signerStatus(demo, place);
  if (status === "completed") return "<p>You have signed.</p>";
  if (status === "declined") return "<p>You have declined.</p>";
  const whole = statusOf(demo, now);
  if (whole !== "pending")
    return `<p>This request is ${whole}: it cannot be signed any more.</p>`;
  if (!isTurnOf(demo, place))
    return "<p>Others sign before you. Come back later.</p>";
  return formOf(demo, place);
}

function formOf({ request }: DemoRequest, place: number): string {
  const signer = request.signers[place];
  const inputs = fieldsToFill(request.fields, signer?.role ?? "").map(
    (field, at) => inputOf(field, at, signer?.values[field.name]),
  );
  return `<form method="post">${inputs.join("\n")}
<button name="act" value="sign">Sign (demo)</button>
</form>
<form method="post"><label>Why you do not sign <input name="reason" maxlength="500"></label>
<button name="act" value="decline">Decline</button></form>`;
}

/** What a signer writes themselves, each name once; the rest is drawn. */
export function fieldsToFill(
  fields: readonly KeptField[],
  role: string,
): KeptField[] {
  const drawn = ["signature", "initials", "date"];
  const own = fields.filter(
    (field) => field.role === role && !drawn.includes(field.type),
  );
  return [...new Map(own.map((field) => [field.name, field])).values()];
}

function inputOf(field: KeptField, at: number, value: unknown): string {
  const { name, type, required, options } = field;
  const attributes = `name="field-${at}"${required ? " required" : ""}`;
  const shown = ["string", "number"].includes(typeof value)
    ? String(value)
    : "";
  if (type === "checkbox")
    return `<label><input type="checkbox" value="X" ${attributes}${value === true ? " checked" : ""}> ${escaped(name)}</label>`;
  if (type === "select")
    return `<label>${escaped(name)} <select ${attributes}><option></option>${options.map((one) => `<option${one === shown ? " selected" : ""}>${escaped(one)}</option>`).join("")}</select></label>`;
  const kind = type === "number" ? "number" : "text";
  return `<label>${escaped(name)} <input type="${kind}" step="any" maxlength="500" value="${escaped(shown)}" ${attributes}></label>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one);
}
