import {
  type EsignCapabilities,
  type EsignProvider,
  PlatformError,
  type SignRequest,
} from "../../../plugin-api/index.js";
import { refusedBy } from "../platform-fault.js";
import { breakTags, breakTagsWithin } from "./break-tags.js";

/** What a provider is handed of a request, and what of it is lost, in words for users. */
export interface FittedRequest {
  fitted: SignRequest;
  warnings: string[];
}

/** @throws PlatenError `too_large` for a file that the provider is known not to take. */
export function fitRequest(
  { meta: { title }, capabilities }: EsignProvider,
  request: SignRequest,
): FittedRequest {
  const { length } = request.pdf.bytes;
  const { maxFileBytes } = capabilities;
  if (length > maxFileBytes)
    throw refusedBy(
      title,
      new PlatformError(
        "too_large",
        `the PDF has ${length} bytes, and it takes at most ${maxFileBytes}. Use smaller images, or fewer pages.`,
      ),
    );
  return {
    fitted: withoutTags(
      fieldsOf(settingsOf(request, capabilities), capabilities),
    ),
    warnings: lossesOf(request, capabilities).map((loss) => `${title} ${loss}`),
  };
}

function fieldsOf(
  request: SignRequest,
  { fields: types }: EsignCapabilities,
): SignRequest {
  const fields = request.fields.map((field) =>
    types.includes(field.type) ? field : { ...field, type: "text" as const },
  );
  return { ...request, fields };
}

/** Without the settings and values that the provider has no place for. */
function settingsOf(
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
      ...(filled && values && { values: knownValues(rest, submitter, filled) }),
    })),
  };
}

function knownValues(
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

function lossesOf(
  request: SignRequest,
  capabilities: EsignCapabilities,
): string[] {
  const { fields, submitters, expiresAt, message } = request;
  const types = new Set(fields.map(({ type }) => type));
  const lacking = [...types].filter(
    (one) => !capabilities.fields.includes(one),
  );
  const hasValues = submitters.some(({ values }) => values !== undefined);
  const isOrdered = submitters.some(({ order }) => order > 0);
  return [
    ...lacking.map((type) => `has no field of the type ${type}: it is a text.`),
    ...(isOrdered && !capabilities.order
      ? ["asks all signers at the same time, in no order."]
      : []),
    ...(hasValues && !capabilities.values
      ? ["takes no values that are filled in beforehand."]
      : []),
    ...(expiresAt && capabilities.expiry === "none"
      ? ["lets no request expire."]
      : []),
    ...(message && !capabilities.message
      ? ["takes no message of one's own."]
      : []),
    ...(capabilities.values ? unknownValues(request) : []),
  ];
}

function unknownValues(request: SignRequest): string[] {
  return request.submitters.flatMap(({ role, values = {} }) => {
    const known = knownValues(request, { role }, values);
    return Object.keys(values)
      .filter((name) => !(name in known))
      .map(
        (name) =>
          `was not told the value of "${breakTags(name)}": the role ${role} has no such field.`,
      );
  });
}

/** Texts come from data, and no provider may find a field in them. */
function withoutTags(request: SignRequest): SignRequest {
  const { title, pdf, fields, submitters, message } = request;
  return {
    ...request,
    title: oneLine(title),
    pdf: { ...pdf, name: breakTags(pdf.name) },
    fields: fields.map((field) => ({
      ...field,
      name: breakTags(field.name),
      ...(field.options && { options: field.options.map(breakTags) }),
    })),
    submitters: submitters.map(({ name, values, ...submitter }) => ({
      ...submitter,
      ...(name !== undefined && { name: oneLine(name) }),
      ...(values && { values: Object(breakTagsWithin(values)) }),
    })),
    ...(message && {
      message: {
        ...(message.subject !== undefined && {
          subject: oneLine(message.subject),
        }),
        ...(message.body !== undefined && { body: breakTags(message.body) }),
      },
    }),
  };
}

/** What becomes a header of a mail has no line breaks. */
function oneLine(text: string): string {
  return breakTags(text.replaceAll(/\s*\p{Cc}\s*/gu, " ").trim());
}
