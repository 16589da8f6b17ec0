import type {
  FieldBox,
  SignRequest,
  Submitter,
} from "../../core/plugin-api/index.js";

/** DocuSeal puts the link where this stands; a message without it leads nowhere. */
const link = "{{submitter.link}}";

/** What `POST /submissions/pdf` takes. */
export function submissionBody(
  request: SignRequest,
  sendEmail: boolean,
): Record<string, unknown> {
  const { title, pdf, fields, submitters, expiresAt, message } = request;
  const isOrdered = submitters.some(({ order }) => order > 0);
  return {
    name: title,
    send_email: sendEmail,
    order: isOrdered ? "preserved" : "random",
    ...(expiresAt && { expire_at: timeOf(expiresAt) }),
    ...(message && { message: messageOf(message) }),
    documents: [
      {
        name: pdf.name,
        file: Buffer.from(pdf.bytes).toString("base64"),
        fields: fieldsOf(fields),
      },
    ],
    submitters: submitters.map((one, place) =>
      submitterOf(one, externalId(request.requestId, place)),
    ),
  };
}

/** By which `find` knows the request: the first submitter's is the request's own id. */
function externalId(requestId: string, place: number): string {
  return place === 0 ? requestId : `${requestId}/${place}`;
}

function submitterOf(
  { role, email, name, values, order }: Submitter,
  id: string,
) {
  return {
    role,
    email,
    ...(name !== undefined && { name }),
    ...(values && { values }),
    order,
    external_id: id,
  };
}

/** "2024-09-01 12:00:00 UTC". */
function timeOf(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function messageOf({ subject, body }: NonNullable<SignRequest["message"]>) {
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body: `${body}\n\n${link}` }),
  };
}

/** Boxes of one name and role are places of one field. */
function fieldsOf(boxes: readonly FieldBox[]) {
  const byField = new Map<string, FieldBox[]>();
  for (const box of boxes) {
    const key = JSON.stringify([box.role, box.name]);
    byField.set(key, [...(byField.get(key) ?? []), box]);
  }
  return [...byField.values()].flatMap(fieldOf);
}

function fieldOf(places: readonly FieldBox[]) {
  const [first] = places;
  if (!first) return [];
  const { name, type, role, options = [] } = first;
  return {
    name,
    type,
    role,
    required: places.some(({ required }) => required),
    ...(options.length > 0 && { options: [...options] }),
    areas: places.map(({ x, y, w, h, page }) => ({ x, y, w, h, page })),
  };
}
