import { z } from "zod";
import type { SigningCertificates } from "../../certificates/index.js";
import { getActor } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { timestampSchema } from "../../lib/schemas.js";

const certificateSchema = z
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

const changeSchema = z
  .strictObject({
    pkcs12: z.base64("must be base64, without a data: prefix").meta({
      description:
        "The .p12 or .pfx file (PKCS#12) with the certificate, its private key and its chain, as base64; at most 100 kB.",
    }),
    password: z
      .string()
      .max(1000)
      .meta({
        description: "The file's password. It is not stored.",
        override: { writeOnly: true },
      }),
    timestampUrl: z.string().nullable().optional().meta({
      description:
        "A timestamp server (RFC 3161), which is tried before the certificate is stored. Default: none.",
      example: "https://timestamp.example.com",
    }),
  })
  .meta({
    id: "SigningCertificateChange",
    example: { pkcs12: "MIIKYgIBAzCC…", password: "…", timestampUrl: null },
  });

const tag = "Documents";
const path = "/api/signing-certificate";

export function signingCertificateOperations(
  certificates: SigningCertificates,
): Operation[] {
  return [
    defineOperation({
      id: "getSigningCertificate",
      method: "get",
      path,
      scope: "connections:read",
      tag,
      summary: "Read the signing certificate",
      description:
        "The certificate with which the organization signs PDFs whose template or request says `sign`; never its private key.",
      reply: { description: "The certificate.", schema: certificateSchema },
      errors: [404],
      handle: ({ caller }) => certificates.get(caller.organizationId),
    }),
    defineOperation({
      id: "setSigningCertificate",
      method: "put",
      path,
      scope: "connections:write",
      tag,
      summary: "Store or replace the signing certificate",
      description:
        "Its private key is kept encrypted and never returned. PDFs that were signed with an earlier certificate stay as they are.",
      body: changeSchema,
      reply: { description: "The certificate.", schema: certificateSchema },
      errors: [413, 503],
      handle: ({ caller, body: { pkcs12, password, timestampUrl = null } }) =>
        certificates.set(
          caller.organizationId,
          { pkcs12: Buffer.from(pkcs12, "base64"), password, timestampUrl },
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "deleteSigningCertificate",
      method: "delete",
      path,
      scope: "connections:write",
      tag,
      summary: "Delete the signing certificate",
      description:
        "With its private key. Documents of templates that are signed fail until there is another one.",
      reply: {
        description: "The certificate, as it was.",
        schema: certificateSchema,
      },
      errors: [404],
      handle: ({ caller }) =>
        certificates.remove(caller.organizationId, getActor(caller)),
    }),
  ];
}
