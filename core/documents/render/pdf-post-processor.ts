import { buffer } from "node:stream/consumers";
import { type EntityManager, In } from "typeorm";
import { SigningCertificates } from "../../certificates/index.js";
import {
  type MergedPdf,
  signLinks,
  escapeFieldTags,
} from "../../compiler/index.js";
import {
  findConformanceConflicts,
  findTagged,
  listConformance,
  type PdfOptions,
} from "../../definition/index.js";
import { normalizeId } from "../../lib/ids.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type Conformance,
  type Deadline,
  type FileStore,
  type Format,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import type { PdfStructure } from "../../rendering/index.js";
import {
  type Finished,
  type Finishing,
  type PdfAttachment,
  PdfEditor,
  type PdfProperties,
  type PdfSigner,
  type XmpSchema,
} from "../../rendering/pdf/index.js";
import {
  Asset,
  type AssetType,
  isId,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { FILE_STORE } from "../../lib/process-values.js";

/** Total size of all files that are joined or attached to one document. */
const MAX_BYTES = 50 * 1024 * 1024;

/** How one document becomes the requested PDF. */
export interface PdfPlan {
  conformance: readonly Conformance[];
  /** Options of its print. */
  structure: PdfStructure;
  /** Edits the printed PDF; null when nothing is to be changed. */
  finish: ((printed: Buffer, deadline: Deadline) => Promise<Finished>) | null;
}

/** What a document adds to its own PDF, beside the files that a request attaches. */
export interface EmbeddedParts {
  attachments: readonly PdfAttachment[];
  metadata: readonly XmpSchema[];
  /** The archival standard that they need, unless template or request ask for one. */
  conformance: Conformance;
}

/**
 * Applies what a template or a request asks of a PDF beyond its print: properties, joined and attached files, a password, a
 * digital signature.
 */
@scoped(Lifecycle.ContainerScoped)
export class PdfPostProcessor {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(PdfEditor) private readonly editor: PdfEditor,
    @inject(SigningCertificates)
    private readonly certificates: Pick<SigningCertificates, "getSigner">,
  ) {}

  /**
   * Reads all files and the certificate that are needed, before anything is printed. A request's options take precedence
   * over the template's, list by list.
   * @throws PlatenError `invalid_request` or `too_large` for files that cannot be used, and without a certificate.
   */
  async plan(
    request: {
      organizationId: string;
      formats: readonly Format[];
      options: PdfOptions | undefined;
      /** A file that nobody receives is not signed. */
      isUnsigned?: boolean;
    },
    merged: {
      /** The title that the printed PDF has already. */
      title: string;
      language: string;
      pdf: MergedPdf;
      /** Null when it is not sent for signature. */
      signNonce: string | null;
      embedded?: EmbeddedParts | null;
    },
  ): Promise<PdfPlan> {
    if (!request.formats.includes("pdf"))
      return { conformance: [], structure: {}, finish: null };
    const { options = {} } = request;
    const { signNonce, pdf, embedded } = merged;
    const conformance = completeConformance(
      listConformance(options.conformance ?? pdf.conformance),
      embedded,
    );
    assertCombinable(conformance, pdf, options, embedded?.attachments ?? []);
    const mustBeTagged = findTagged(conformance) !== null;
    const structure = {
      tagged: options.tagged ?? pdf.tagged ?? mustBeTagged,
      outline: options.outline ?? pdf.outline ?? mustBeTagged,
    };
    const properties = mergeProperties(pdf, options, merged.title);
    const { user, owner, permissions } = options.password ?? {};
    const files = await this.#readFiles(request.organizationId, pdf, options);
    const finishing: Finishing = {
      isTagged: structure.tagged || structure.outline,
      language: merged.language,
      conformance,
      metadata: embedded?.metadata ?? [],
      ...files,
      attachments: [...files.attachments, ...(embedded?.attachments ?? [])],
      ...(properties && { properties }),
      ...(options.password && {
        password: {
          ...(user !== undefined && { user }),
          ...(owner !== undefined && { owner }),
          ...(permissions && { permissions }),
        },
      }),
    };
    const edits =
      signNonce === null ? finishing : prepareToSign(finishing, signNonce);
    // What people are to sign is changed by their provider, which breaks a signature that is in it before.
    const isUnsigned = request.isUnsigned === true || signNonce !== null;
    const signer = isUnsigned
      ? null
      : await this.#findSigner(request.organizationId, pdf, options);
    return {
      conformance,
      structure,
      finish:
        hasEdits(edits) || signer
          ? (printed, deadline) =>
              this.editor.finish(printed, edits, deadline, signer)
          : null,
    };
  }

  /** @returns null for a PDF that is not to be signed @throws PlatenError `invalid_request` */
  async #findSigner(
    organizationId: string,
    template: MergedPdf,
    request: PdfOptions,
  ): Promise<PdfSigner | null> {
    if ((request.sign ?? template.sign) !== true) return null;
    try {
      return await this.certificates.getSigner(organizationId);
    } catch (cause) {
      if (!(cause instanceof PlatenError) || cause.code !== "invalid_request")
        throw cause;
      const path = findOption(template, request, "sign");
      const { message } = cause;
      throw new PlatenError("invalid_request", "The PDF cannot be signed.", {
        cause,
        problems: [{ path, code: "signing_certificate", message }],
      });
    }
  }

  async #readFiles(
    organizationId: string,
    template: MergedPdf,
    options: PdfOptions,
  ): Promise<Pick<Finishing, "before" | "after" | "attachments">> {
    const attached = options.attachments ?? [];
    const before = listJoined("before", template, options);
    const after = listJoined("after", template, options);
    const attachments = attached.map((content, index) => ({
      path: `$.renderOptions.pdf.attachments[${index}]`,
      content,
      types: ["pdf", "image"] as const,
    }));
    const bytes = await readContents(
      this.store.read,
      this.files,
      organizationId,
      [...before, ...after, ...attachments],
    );
    const readJoined = (file: RequestedFile) => ({
      path: file.path,
      bytes: bytes.get(file) ?? new Uint8Array(),
    });
    return {
      before: before.map(readJoined),
      after: after.map(readJoined),
      attachments: attachments.map((file) => {
        const { name, mimeType, description } = file.content;
        return {
          path: file.path,
          // An asset was checked when it was stored.
          isUncheckedPdf:
            "base64" in file.content && /^application\/pdf\b/i.test(mimeType),
          name,
          mimeType,
          relationship: file.content.relationship ?? "Unspecified",
          ...(description !== undefined && { description }),
          bytes: bytes.get(file) ?? new Uint8Array(),
        };
      }),
    };
  }
}

function hasEdits(edits: Finishing): boolean {
  const { properties, password, before, after, attachments } = edits;
  return (
    edits.isTagged === true ||
    properties !== undefined ||
    password !== undefined ||
    edits.signLinks !== undefined ||
    (edits.conformance ?? []).length > 0 ||
    before.length + after.length + attachments.length > 0
  );
}

function completeConformance(
  list: readonly Conformance[],
  embedded: EmbeddedParts | null | undefined,
): readonly Conformance[] {
  const isArchival = list.some((standard) => standard !== "pdf/ua-1");
  return embedded && !isArchival ? [embedded.conformance, ...list] : list;
}

/**
 * The schemas check each side alone; a request may add to its template what its standard does not allow.
 * @throws PlatenError `invalid_request`
 */
function assertCombinable(
  conformance: readonly Conformance[],
  template: MergedPdf,
  request: PdfOptions,
  embedded: readonly PdfAttachment[],
): void {
  const conflicts = findConformanceConflicts({
    conformance: [...conformance],
    tagged: request.tagged ?? template.tagged,
    before: request.before ?? template.before,
    after: request.after ?? template.after,
    attachments: [...(request.attachments ?? []), ...embedded],
    password: request.password,
    sign: request.sign ?? template.sign,
  });
  const names = new Set(embedded.map(({ name }) => name.toLowerCase()));
  const problems: Problem[] = [
    ...conflicts.map(({ option, message }) => ({
      path: findOption(template, request, option),
      code: "conformance",
      message: `${option} ${message}.`,
      ...(embedded.length > 0 && {
        hint: "The PDF contains its e-invoice, and has to be a PDF/A-3.",
      }),
    })),
    ...(request.attachments ?? []).flatMap(({ name }, index) =>
      names.has(name.toLowerCase())
        ? [
            {
              path: `$.renderOptions.pdf.attachments[${index}].name`,
              code: "name_taken",
              message: `The e-invoice in the PDF has the name ${name}.`,
              hint: "Choose another name, or leave out the file: the PDF contains the e-invoice by itself.",
            },
          ]
        : [],
    ),
  ];
  if (problems.length === 0) return;
  throw new PlatenError("invalid_request", "The PDF cannot be made.", {
    problems,
  });
}

/** JSON path of an option; of the standard for one that comes from the document itself. */
function findOption(
  template: MergedPdf,
  request: PdfOptions,
  option: keyof PdfOptions,
): string {
  const isGiven = request[option] !== undefined || option in template;
  const name = isGiven ? option : "conformance";
  const owner = request[name] !== undefined ? "$.renderOptions.pdf" : "$.pdf";
  return `${owner}.${name}`;
}

/** Null when the printed PDF has all of them already. */
function mergeProperties(
  template: MergedPdf,
  request: PdfOptions,
  printedTitle: string,
): PdfProperties | null {
  const title = request.title ?? template.title;
  const author = request.author ?? template.author;
  const subject = request.subject ?? template.subject;
  const keywords = request.keywords ?? template.keywords;
  const all = {
    ...(title !== undefined && title !== printedTitle && { title }),
    ...(author !== undefined && { author }),
    ...(subject !== undefined && { subject }),
    ...(keywords !== undefined && { keywords }),
  };
  return Object.keys(all).length === 0 ? null : all;
}

/** A requested file, by the id of an asset or with its content. */
interface RequestedFile {
  /** JSON path of the file: `$.renderOptions.pdf.after[0]` */
  path: string;
  content: { asset: string } | { base64: string };
  /** Asset types that are accepted. */
  types: readonly AssetType[];
}

function listJoined(
  place: "before" | "after",
  template: MergedPdf,
  request: PdfOptions,
): RequestedFile[] {
  const [path, list = []] = request[place]
    ? [`$.renderOptions.pdf.${place}`, request[place]]
    : [`$.pdf.${place}`, template[place]];
  return list.map((content, index) => ({
    path: `${path}[${index}]`,
    content,
    types: ["pdf"],
  }));
}

/** @throws PlatenError `invalid_request` for an asset that the organization does not have, `too_large` for all together. */
async function readContents(
  read: EntityManager,
  files: FileStore,
  organizationId: string,
  requested: readonly RequestedFile[],
): Promise<Map<RequestedFile, Uint8Array>> {
  const assets = await findAssets(read, organizationId, requested);
  const contents = new Map<RequestedFile, Uint8Array>();
  let total = 0;
  for (const file of requested) {
    const { path, content, types } = file;
    const requestedAsset =
      "asset" in content ? assets.get(normalizeId(content.asset)) : undefined;
    const asset =
      requestedAsset && types.includes(requestedAsset.assetType)
        ? requestedAsset
        : undefined;
    const sent =
      "base64" in content ? Buffer.from(content.base64, "base64") : null;
    total += asset?.sizeBytes ?? sent?.length ?? 0;
    if (total > MAX_BYTES)
      throw new PlatenError(
        "too_large",
        `The joined and attached files are larger than ${MAX_BYTES} bytes with ${path}. Leave some out.`,
      );
    const stored = asset ? await files.open(asset.storageKey) : null;
    const bytes = sent ?? (stored && (await buffer(stored.stream)));
    if (bytes === null) throw createUnknownAssetError(file);
    contents.set(file, bytes);
  }
  return contents;
}

async function findAssets(
  read: EntityManager,
  organizationId: string,
  requested: readonly RequestedFile[],
): Promise<Map<string, Asset>> {
  const ids = requested
    .flatMap(({ content }) =>
      "asset" in content ? [normalizeId(content.asset)] : [],
    )
    .filter((id) => isId(id));
  if (ids.length === 0) return new Map();
  // Assets in the trash are included: templates that refer to them keep working.
  const rows = await read.findBy(Asset, { id: In(ids), organizationId });
  return new Map(rows.map((row) => [row.id, row]));
}

function createUnknownAssetError({ path, types }: RequestedFile): PlatenError {
  const type = types.length === 1 ? `stored ${types[0]}` : "stored asset";
  const message = `The organization has no such ${type}.`;
  return new PlatenError("invalid_request", "The PDF cannot be finished.", {
    problems: [{ path, code: "unknown_asset", message }],
  });
}

/** The links that mark sign fields are removed, and no text may contain a field tag of a signature provider. */
function prepareToSign(finishing: Finishing, nonce: string): Finishing {
  const { properties, attachments } = finishing;
  return {
    ...finishing,
    ...(properties && { properties: removeFieldTags(properties) }),
    attachments: attachments.map(({ name, description, ...file }) => ({
      ...file,
      name: escapeFieldTags(name),
      ...(description !== undefined && {
        description: escapeFieldTags(description),
      }),
    })),
    signLinks: signLinks(nonce),
  };
}

function removeFieldTags({ keywords, ...texts }: PdfProperties): PdfProperties {
  const entries = Object.entries(texts).map(
    ([name, text]) => [name, escapeFieldTags(text)] as const,
  );
  return {
    ...Object.fromEntries(entries),
    ...(keywords && { keywords: keywords.map(escapeFieldTags) }),
  };
}
