import { randomBytes, X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type EntityManager, MoreThan } from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import { clock } from "../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import { Outbound } from "../lib/outbound/index.js";
import { timestampSchema } from "../lib/schemas.js";
import { SecretBox } from "../lib/secrets.js";
import { Deadline, PlatenError } from "../plugin-api/index.js";
import type { PdfSigner } from "../rendering/pdf/index.js";
import {
  findForUpdate,
  insertRow,
  newId,
  Organization,
  SigningCertificate,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { SECRETS } from "../lib/process-values.js";
import type { IdentityParts } from "./signing-identity.js";
import type { SigningChain } from "./cms.js";

/** Encrypts the private keys of signing certificates. */
const SIGNING_KEY_SECRETS = createToken<SecretBox>("signing key secrets");
provide(
  SIGNING_KEY_SECRETS,
  (c) => new SecretBox(c.resolve(SECRETS), "signing certificate keys"),
);

export const signingCertificateSchema = z
  .strictObject({
    subject: z.string().meta({
      description: "Whose it is.",
      example: "CN=Example Invoices, O=Example GmbH, C=DE",
    }),
    issuer: z.string().meta({ description: "Who issued it." }),
    serialNumber: z.string().meta({ description: "Hexadecimal." }),
    fingerprint: z.string().meta({
      description: "SHA-256 of the certificate, hexadecimal with colons.",
    }),
    key: z.string().meta({
      description: "The type of its key.",
      example: "RSA 2048",
    }),
    validFrom: timestampSchema,
    validUntil: timestampSchema.meta({
      description: "After this time, no PDF is signed with it.",
    }),
    chainLength: z.int().meta({
      description:
        "How many certificates each signature contains: this one, and those of the authorities that issued it.",
    }),
    timestampUrl: z.string().nullable().meta({
      description:
        "The server that adds a timestamp to each signature (RFC 3161); null for none.",
    }),
    createdAt: timestampSchema,
  })
  .meta({ id: "SigningCertificate" });

export type SigningCertificateView = z.output<typeof signingCertificateSchema>;

/** With the lengths of its signatures. */
interface MeasuredChain extends SigningChain {
  bytes: number;
  /** Without the length of the timestamp itself. */
  bytesWithTimestamp: number;
}

export interface SigningCertificateInput {
  pkcs12: Uint8Array;
  password: string;
  /** A server for timestamps (RFC 3161); null for none. */
  timestampUrl: string | null;
}

const MAX_FILE_BYTES = 100_000;
const MAX_URL_LENGTH = 2000;
const TRIAL_MS = 15_000;
/** Timestamps of one server differ by a few bytes: their numbers, and signatures of elliptic curves. */
const TIMESTAMP_MARGIN = 256;
const ROWS_PER_READ = 100;
const MAX_CACHED_CHAINS = 200;

/** The certificates with which organizations sign PDFs; each has at most one. */
@scoped(Lifecycle.ContainerScoped)
export class SigningCertificates {
  /** Certificates without their keys, by the ids of their rows. */
  readonly #chains = new LRUCache<string, MeasuredChain>({
    max: MAX_CACHED_CHAINS,
  });

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Compute) private readonly compute: Compute,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(SIGNING_KEY_SECRETS) private readonly secrets: SecretBox,
  ) {}

  /** @throws PlatenError `not_found` */
  async get(organizationId: string): Promise<SigningCertificateView> {
    return toView(await this.#find(this.store.read, organizationId));
  }

  /**
   * Stores a certificate in place of the present one. A timestamp server is tried.
   * @throws PlatenError `invalid_request` for a file that cannot be used, `too_large`, and `unavailable` for a server that
   * gives no timestamp
   */
  async set(
    organizationId: string,
    { pkcs12, password, timestampUrl }: SigningCertificateInput,
    actor: Actor,
  ): Promise<SigningCertificateView> {
    if (pkcs12.length > MAX_FILE_BYTES)
      throw new PlatenError(
        "too_large",
        `$.pkcs12: The file is larger than ${MAX_FILE_BYTES} bytes. Export only the certificate with its private key and its chain.`,
      );
    const now = clock.date();
    const { privateKey, certificates } = await this.#readFile(
      organizationId,
      { bytes: pkcs12, password },
      now,
    );
    const timestampBytes =
      timestampUrl === null
        ? null
        : await this.#measureTimestamp(organizationId, timestampUrl);
    const id = newId();
    const row: SigningCertificate = {
      id,
      organizationId,
      certificates: certificates.map((der) =>
        Buffer.from(der).toString("base64"),
      ),
      privateKey: await this.secrets.seal(
        Buffer.from(privateKey).toString("base64"),
        id,
      ),
      timestampUrl,
      timestampBytes,
      createdAt: now,
    };
    const view = await toView(row);
    await this.store.unitOfWork.run(async (tx) => {
      // Two changes at once wait for each other.
      await findForUpdate(tx, Organization, { id: organizationId });
      await tx.delete(SigningCertificate, { organizationId });
      await insertRow(tx, SigningCertificate, row);
      await note(tx, actor, row, view, "changed");
    });
    return view;
  }

  /** @returns the deleted certificate @throws PlatenError `not_found` */
  async remove(
    organizationId: string,
    actor: Actor,
  ): Promise<SigningCertificateView> {
    return this.store.unitOfWork.run(async (tx) => {
      await findForUpdate(tx, Organization, { id: organizationId });
      const row = await this.#find(tx, organizationId);
      const view = await toView(row);
      await tx.delete(SigningCertificate, { id: row.id });
      await note(tx, actor, row, view, "deleted");
      return view;
    });
  }

  /**
   * What signs the PDFs of an organization. The private key is decrypted for each signature and not kept.
   * @throws PlatenError `invalid_request` without a certificate that is valid now
   */
  async getSigner(organizationId: string): Promise<PdfSigner> {
    const row = await this.store.read.findOneBy(SigningCertificate, {
      organizationId,
    });
    if (row === null)
      throw new PlatenError(
        "invalid_request",
        "The organization has no signing certificate. Store one with PUT /api/signing-certificate or in the studio, or set `sign` to false.",
      );
    const { findValidityProblem } = await import("./signing-identity.js");
    const chain = await this.#getChain(row);
    const problem = findValidityProblem(chain.certificates[0], clock.date());
    if (problem !== null)
      throw new PlatenError(
        "invalid_request",
        `The organization's signing certificate ${problem}. Replace it with PUT /api/signing-certificate or in the studio.`,
      );
    const { timestampBytes } = row;
    const { digestAlgorithm, bytes, bytesWithTimestamp } = chain;
    return {
      digestAlgorithm,
      maxBytes:
        timestampBytes === null
          ? bytes
          : bytesWithTimestamp + timestampBytes + TIMESTAMP_MARGIN,
      sign: (digest, deadline) => this.#sign(row, digest, deadline),
    };
  }

  async #sign(
    row: SigningCertificate,
    digest: Uint8Array,
    deadline: Deadline,
  ): Promise<Uint8Array> {
    const { createSignature } = await import("./cms.js");
    const { parseKey } = await import("./signing-identity.js");
    const key = await this.secrets.open(row.privateKey, row.id);
    const { value, encode } = await createSignature(
      digest,
      await this.#getChain(row),
      parseKey(Buffer.from(key, "base64")),
    );
    const { id, organizationId, timestampUrl, timestampBytes } = row;
    if (timestampUrl === null) return encode();
    const timestamp = await this.#requestTimestamp(
      organizationId,
      timestampUrl,
      value,
      deadline,
    );
    if (timestamp.length > (timestampBytes ?? 0) + TIMESTAMP_MARGIN) {
      // The server has another certificate than when it was tried.
      await this.store.unitOfWork.run((tx) =>
        tx.update(
          SigningCertificate,
          { id },
          { timestampBytes: timestamp.length },
        ),
      );
      throw new PlatenError(
        "unavailable",
        "The PDF has too little space for its timestamp, since the timestamp server's answers have become longer. The next PDF has enough: try again.",
      );
    }
    return encode(timestamp);
  }

  /**
   * Encrypts all private keys with the service's current secret. May be interrupted and repeated.
   * @returns how many were encrypted again, and the ids of those that no secret of the service decrypts
   */
  async reseal(actor: Actor): Promise<{ count: number; unreadable: string[] }> {
    const { store, secrets } = this;
    const done = { count: 0, unreadable: new Array<string>() };
    for (let after = ""; ;) {
      const rows = await store.read.find(SigningCertificate, {
        where: { id: MoreThan(after) },
        order: { id: "ASC" },
        take: ROWS_PER_READ,
      });
      for (const row of rows) {
        const { id, privateKey } = row;
        after = id;
        const sealed = await secrets.reseal(privateKey, id).catch(() => "");
        if (sealed === "") done.unreadable.push(id);
        if (sealed === null || sealed === "") continue;
        const view = await toView(row);
        await store.unitOfWork.run(async (tx) => {
          const { affected } = await tx.update(
            SigningCertificate,
            { id, privateKey },
            { privateKey: sealed },
          );
          if (affected === 0) return;
          done.count += 1;
          await note(tx, actor, row, view, "resealed");
        });
      }
      if (rows.length < ROWS_PER_READ) return done;
    }
  }

  async #getChain({
    id,
    certificates,
  }: Pick<SigningCertificate, "id" | "certificates">): Promise<MeasuredChain> {
    const cached = this.#chains.get(id);
    if (cached) return cached;
    const { parseChain } = await import("./signing-identity.js");
    const { measureSignature } = await import("./cms.js");
    const chain = parseChain(
      certificates.map((encoded) => Buffer.from(encoded, "base64")),
    );
    const measured = {
      ...chain,
      bytes: measureSignature(chain, null),
      bytesWithTimestamp: measureSignature(chain, 0),
    };
    this.#chains.set(id, measured);
    return measured;
  }

  async #readFile(
    organizationId: string,
    file: { bytes: Uint8Array; password: string },
    now: Date,
  ): Promise<IdentityParts> {
    const { selectIdentity } = await import("./signing-identity.js");
    try {
      const caller = { organizationId, subject: "The PKCS#12 file" };
      return selectIdentity(await this.compute.openPkcs12(file, caller), now);
    } catch (cause) {
      if (!(cause instanceof PlatenError)) throw cause;
      const { code, message } = cause;
      throw new PlatenError(code, `$.pkcs12: ${message}`, { cause });
    }
  }

  async #measureTimestamp(
    organizationId: string,
    url: string,
  ): Promise<number> {
    const outbound = await this.outbound.forOrganization(organizationId);
    try {
      if (url.length > MAX_URL_LENGTH)
        throw new PlatenError(
          "invalid_request",
          `The URL is longer than ${MAX_URL_LENGTH} characters.`,
        );
      outbound.check(url);
    } catch (cause) {
      if (!(cause instanceof PlatenError)) throw cause;
      const { code, message } = cause;
      throw new PlatenError(code, `$.timestampUrl: ${message}`, { cause });
    }
    const timestamp = await this.#requestTimestamp(
      organizationId,
      url,
      randomBytes(32),
      Deadline.after(TRIAL_MS),
    );
    return timestamp.length;
  }

  async #requestTimestamp(
    organizationId: string,
    url: string,
    data: Uint8Array,
    deadline: Deadline,
  ): Promise<Uint8Array> {
    const { requestTimestamp } = await import("./timestamps.js");
    const outbound = await this.outbound.forOrganization(organizationId);
    return requestTimestamp(outbound, url, data, deadline);
  }

  async #find(
    read: EntityManager,
    organizationId: string,
  ): Promise<SigningCertificate> {
    const row = await read.findOneBy(SigningCertificate, { organizationId });
    if (row) return row;
    throw new PlatenError(
      "not_found",
      "The organization has no signing certificate. Store one with PUT /api/signing-certificate.",
    );
  }
}

async function toView({
  certificates,
  timestampUrl,
  createdAt,
}: Pick<
  SigningCertificate,
  "certificates" | "timestampUrl" | "createdAt"
>): Promise<SigningCertificateView> {
  const { describeKey } = await import("./signing-identity.js");
  const [first = ""] = certificates;
  const certificate = new X509Certificate(Buffer.from(first, "base64"));
  return {
    subject: toName(certificate.subject),
    issuer: toName(certificate.issuer),
    serialNumber: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
    key: describeKey(certificate),
    validFrom: certificate.validFromDate.toISOString(),
    validUntil: certificate.validToDate.toISOString(),
    chainLength: certificates.length,
    timestampUrl,
    createdAt: createdAt.toISOString(),
  };
}

/** On one line, the most specific part first: `CN=Invoices, O=Example, C=DE`. */
function toName(name: string): string {
  return name.split("\n").toReversed().join(", ");
}

function note(
  tx: EntityManager,
  actor: Actor,
  { id, organizationId }: SigningCertificate,
  { subject, fingerprint, timestampUrl }: SigningCertificateView,
  act: "changed" | "deleted" | "resealed",
): Promise<void> {
  return recordAudit(tx, actor, {
    organizationId,
    action: `signing_certificate.${act}`,
    subject: id,
    details: { name: subject, fingerprint, timestampUrl },
  });
}
