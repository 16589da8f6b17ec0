import { type Format, PlatenError } from "../plugin-api/index.js";
import { parseExpiry } from "./expiry.js";
import type {
  RenderRequest,
  SettledRequest,
  SigningWishes,
} from "./render-request.js";

/** Fills in the defaults. @throws PlatenError `invalid_request` for what cannot be rendered, before anything is done. */
export function settleRequest(
  request: RenderRequest,
  now: Date,
): SettledRequest {
  checkFormats(request.formats);
  return {
    organizationId: request.organizationId,
    createdById: request.createdById,
    templateId: request.templateId,
    templateVersion: request.templateVersion,
    formats: request.formats,
    data: recordOf(request.data),
    expiresAt: parseExpiry(request.expiresAt, now),
    imageType: request.imageType ?? "png",
    isTest: request.isTest ?? false,
    strict: request.strict ?? false,
    renderOptions: request.renderOptions,
    preview: request.preview ?? "none",
    signing: signingOf(request),
  };
}

function checkFormats(formats: readonly Format[]): void {
  if (formats.length === 0 || new Set(formats).size < formats.length)
    throw refusal("formats", "must name at least one format, and each once.");
}

/** Whoever signs must be able to open the document, and a provider must be able to write into it. */
function signingOf({
  sendForSignature,
  isTest,
  renderOptions,
  esignConnection,
  esignSettings,
}: RenderRequest): SigningWishes | null {
  if (!sendForSignature) return null;
  if (isTest)
    throw refusal(
      "sendForSignature",
      "A test document cannot be sent for signature. Leave out isTest.",
    );
  if (renderOptions?.pdf?.password)
    throw refusal(
      "renderOptions.pdf.password",
      "A document with a password cannot be signed. Leave out the password, or sendForSignature.",
    );
  return { esignConnection, esignSettings };
}

function recordOf(data: unknown = {}): object {
  if (typeof data === "object" && data !== null && !Array.isArray(data))
    return data;
  throw refusal("data", "must be an object: one record is one document.");
}

function refusal(field: string, message: string): PlatenError {
  return new PlatenError("invalid_request", "This cannot be rendered.", {
    problems: [{ path: `$.${field}`, code: field, message }],
  });
}
