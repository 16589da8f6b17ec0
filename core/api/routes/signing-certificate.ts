import { z } from "zod";
import {
  type SigningCertificates,
  signingCertificateSchema,
} from "../../certificates/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";

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

const defineOperation = createDefinition("Documents");
const path = "/api/signing-certificate";

export function signingCertificateOperations(
  certificates: SigningCertificates,
): Operation[] {
  return [
    defineOperation({
      id: "getSigningCertificate",
      get: path,
      scope: "connections:read",
      summary: "Read the signing certificate",
      description:
        "The certificate with which the organization signs PDFs whose template or request says `sign`; never its private key.",
      reply: {
        description: "The certificate.",
        schema: signingCertificateSchema,
      },
      errors: [404],
      handle: ({ caller }) => certificates.get(caller.organizationId),
    }),
    defineOperation({
      id: "setSigningCertificate",
      put: path,
      scope: "connections:write",
      summary: "Store or replace the signing certificate",
      description:
        "Its private key is kept encrypted and never returned. PDFs that were signed with an earlier certificate stay as they are.",
      body: changeSchema,
      reply: {
        description: "The certificate.",
        schema: signingCertificateSchema,
      },
      handle: ({ caller, body: { pkcs12, password, timestampUrl = null } }) =>
        certificates.set(
          caller.organizationId,
          { pkcs12: Buffer.from(pkcs12, "base64"), password, timestampUrl },
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "deleteSigningCertificate",
      delete: path,
      scope: "connections:write",
      summary: "Delete the signing certificate",
      description:
        "With its private key. Documents of templates that are signed fail until there is another one.",
      reply: {
        description: "The certificate, as it was.",
        schema: signingCertificateSchema,
      },
      errors: [404],
      handle: ({ caller }) =>
        certificates.remove(caller.organizationId, getActor(caller)),
    }),
  ];
}
