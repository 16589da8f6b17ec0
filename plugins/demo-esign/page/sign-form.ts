import type { DemoRequest, KeptField } from "../kept-request.js";
import { scribble } from "../paper/scribble.js";
import { escaped } from "./frame.js";

const drawn = ["signature", "initials", "date"];

/** What a signer writes themselves, each name once; the rest is drawn. */
export function fieldsToFill(
  fields: readonly KeptField[],
  role: string,
): KeptField[] {
  const own = fields.filter(
    (field) => field.role === role && !drawn.includes(field.type),
  );
  return [...new Map(own.map((field) => [field.name, field])).values()];
}

/** To sign is what one comes for; to decline is folded away. */
export function signForm({ request }: DemoRequest, place: number): string {
  const signer = request.signers[place];
  const { name = "", role = "", values = {} } = signer ?? {};
  const inputs = fieldsToFill(request.fields, role).map((field, at) =>
    inputOf(field, at, values[field.name]),
  );
  return `<form method="post">
${inputs.length > 0 ? "<h2>Fill in</h2>" : ""}${inputs.join("\n")}
<h2>Your signature</h2>
<div class="ink"><svg viewBox="0 -2 104 34" role="img" aria-label="Your signature as it will be drawn"><path d="${scribble(name)}" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg><span>${escaped(name)}</span></div>
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

function inputOf(field: KeptField, at: number, value: unknown): string {
  const { name, type, required, options } = field;
  const attributes = `name="field-${at}"${required ? " required" : ""}`;
  const label = `${escaped(name)}${required ? "" : " <small>optional</small>"}`;
  const shown = ["string", "number"].includes(typeof value)
    ? String(value)
    : "";
  if (type === "checkbox")
    return `<label><input type="checkbox" value="X" ${attributes}${value === true ? " checked" : ""}>${label}</label>`;
  if (type === "select") {
    const choices = options.map(
      (one) =>
        `<option${one === shown ? " selected" : ""}>${escaped(one)}</option>`,
    );
    return `<label>${label}<select ${attributes}><option></option>${choices.join("")}</select></label>`;
  }
  const kind = type === "number" ? 'type="number" step="any"' : 'type="text"';
  return `<label>${label}<input ${kind} maxlength="500" value="${escaped(shown)}" ${attributes}></label>`;
}
