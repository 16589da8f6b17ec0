import {
  type EsignCapabilities,
  type EsignProvider,
  PlatformError,
  type SignRequest,
} from "../../plugin-api/index.js";
import { createRefusal } from "./plugin-errors.js";

/**
 * Adapts a request to what a provider can do. @returns the request for the provider, and a warning for users about each
 * thing that it drops. @throws PlatenError `too_large` for a file that the provider is known to refuse.
 */
export function fitRequest(
  { meta: { title }, capabilities }: EsignProvider,
  request: SignRequest,
): { fitted: SignRequest; warnings: string[] } {
  const { length } = request.pdf.bytes;
  const { maxFileBytes } = capabilities;
  if (length > maxFileBytes)
    throw createRefusal(
      title,
      new PlatformError(
        "too_large",
        `the PDF has ${length} bytes; the maximum is ${maxFileBytes}. Use smaller images or fewer pages.`,
      ),
    );
  const fitted = replaceFieldTypes(
    removeUnsupported(request, capabilities),
    capabilities,
  );
  return {
    fitted: escapeTexts(fitted),
    warnings: listLosses(request, capabilities).map(
      (loss) => `${title} ${loss}`,
    ),
  };
}

function replaceFieldTypes(
  request: SignRequest,
  { fields: types }: EsignCapabilities,
): SignRequest {
  const fields = request.fields.map((field) =>
    types.includes(field.type) ? field : { ...field, type: "text" as const },
  );
  return { ...request, fields };
}

function removeUnsupported(
  { expiresAt, message, submitters, ...rest }: SignRequest,
  { expiry, message: takesMessage, order, values }: EsignCapabilities,
): SignRequest {
  return {
    ...rest,
    ...(expiresAt && expiry !== "none" && { expiresAt }),
    ...(message && takesMessage && { message }),
    submitters: submitters.map(({ values: filled, ...submitter }) => ({
      ...submitter,
      order: order ? submitter.order : 0,
      ...(filled && values && { values: pickKnown(rest, submitter, filled) }),
    })),
  };
}

/** Only the values for fields of this role. */
function pickKnown(
  { fields }: Pick<SignRequest, "fields">,
  { role }: { role: string },
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = new Set(
    fields.filter((field) => field.role === role).map(({ name }) => name),
  );
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.has(name)),
  );
}

function listLosses(
  request: SignRequest,
  capabilities: EsignCapabilities,
): string[] {
  const { fields, submitters, expiresAt, message } = request;
  const types = new Set(fields.map(({ type }) => type));
  const unsupported = [...types].filter(
    (one) => !capabilities.fields.includes(one),
  );
  const hasValues = submitters.some(({ values }) => values !== undefined);
  const isOrdered = submitters.some(({ order }) => order > 0);
  return [
    ...unsupported.map(
      (type) => `has no ${type} fields: they become text fields.`,
    ),
    ...(isOrdered && !capabilities.order
      ? ["asks all signers at the same time, in no order."]
      : []),
    ...(hasValues && !capabilities.values
      ? ["does not support values that are filled in beforehand."]
      : []),
    ...(expiresAt && capabilities.expiry === "none"
      ? ["does not support an expiration date."]
      : []),
    ...(message && !capabilities.message
      ? ["does not support a custom message."]
      : []),
    ...(capabilities.values ? listUnknownValues(request) : []),
  ];
}

function listUnknownValues(request: SignRequest): string[] {
  return request.submitters.flatMap(({ role, values = {} }) => {
    const known = pickKnown(request, { role }, values);
    return Object.keys(values)
      .filter((name) => !(name in known))
      .map(
        (name) =>
          `did not get the value of "${escapeTags(name)}": the role ${role} has no such field.`,
      );
  });
}

/** Texts come from data, and no provider may find a field tag in them. */
function escapeTexts(request: SignRequest): SignRequest {
  const { title, pdf, fields, submitters, message } = request;
  return {
    ...request,
    title: toOneLine(title),
    pdf: { ...pdf, name: escapeTags(pdf.name) },
    fields: fields.map((field) => ({
      ...field,
      name: escapeTags(field.name),
      ...(field.options && { options: field.options.map(escapeTags) }),
    })),
    submitters: submitters.map(({ name, values, ...submitter }) => ({
      ...submitter,
      ...(name !== undefined && { name: toOneLine(name) }),
      ...(values && { values: Object(escapeTagsWithin(values)) }),
    })),
    ...(message && {
      message: {
        ...(message.subject !== undefined && {
          subject: toOneLine(message.subject),
        }),
        ...(message.body !== undefined && { body: escapeTags(message.body) }),
      },
    }),
  };
}

/** Without line breaks, because it becomes a mail header. */
function toOneLine(text: string): string {
  return escapeTags(text.replaceAll(/\s*\p{Cc}\s*/gu, " ").trim());
}

/** A visible space, as in documents, because PDF readers drop characters without a width. */
const gap = "\u00a0";
const ignorable = "[\\p{Default_Ignorable_Code_Point}\\s]*";
const opening = new RegExp(`\\{(?=${ignorable}\\{)`, "gu");
const closing = new RegExp(`\\}(?=${ignorable}\\})`, "gu");

/** Separates double braces, so that no provider finds a field tag in the text. */
function escapeTags(text: string): string {
  return text.replaceAll(opening, `{${gap}`).replaceAll(closing, `}${gap}`);
}

/** Escapes every text in a value, and its keys. */
function escapeTagsWithin(value: unknown): unknown {
  if (typeof value === "string") return escapeTags(value);
  if (Array.isArray(value)) return value.map(escapeTagsWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      escapeTags(key),
      escapeTagsWithin(one),
    ]),
  );
}
