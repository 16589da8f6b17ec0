import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { z } from "zod";
import { operator } from "../../core/accounts/index.js";
import {
  AuditEvent,
  SigningCertificate,
} from "../../core/storage/database/index.js";
import { SigningCertificates } from "../../core/certificates/index.js";
import { newCaller, readError, type TestCaller } from "../support/caller.js";
import {
  issueCertificate,
  issueChain,
  type Issued,
  toPkcs12,
  writePkcs12,
} from "../support/certificates.js";
import { withRows } from "../support/rows.js";
import { useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";

const PATH = "/api/signing-certificate";
const DAY = 24 * 60 * 60_000;

const view = z.looseObject({
  subject: z.string(),
  issuer: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  chainLength: z.number(),
  timestampUrl: z.string().nullable(),
});

const fixture = (name: string) =>
  readFile(new URL(`fixtures/${name}.p12`, import.meta.url));

const write = (key: Issued["key"] | null, ...certificates: Issued[]) =>
  writePkcs12({ key, certificates }, "secret");

anyDatabase((_open, database) => {
  describe("the signing certificate of an organization", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    const { root, intermediate, signer } = issueChain();

    before(async () => {
      caller = await newCaller(service);
    });

    const put = (file: Uint8Array, more: object = {}, owner = caller) =>
      owner.put(PATH, {
        pkcs12: Buffer.from(file).toString("base64"),
        password: "secret",
        ...more,
      });
    const store = async (file: Uint8Array, more: object = {}) => {
      const response = await put(file, more);
      const body: unknown = await response.json();
      expect(response.status, JSON.stringify(body)).to.equal(200);
      return view.parse(body);
    };
    const rejection = async (file: Uint8Array, more: object = {}) => {
      const response = await put(file, more);
      const error = await readError(response);
      expect(response.status, error).to.equal(400);
      return error;
    };
    const findRow = () =>
      service.store.read.findOneByOrFail(SigningCertificate, {
        organizationId: caller.organizationId,
      });

    it("is shown with what identifies it, and without its private key", async () => {
      const stored = await store(await toPkcs12(signer, intermediate, root));
      const response = await caller.get(PATH);
      const shown = view.parse(await response.json());
      expect(shown).to.eql(stored);
      expect(shown).to.include({
        subject: "CN=Example",
        issuer: "CN=Example Issuer",
        key: "RSA 2048",
        chainLength: 3,
        timestampUrl: null,
      });
      expect(shown.fingerprint).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    });

    it("contains no part of its private key in the database, nor the password", async () => {
      await store(await toPkcs12(signer, intermediate, root));
      const row = JSON.stringify(await findRow());
      const key = signer.key.export({ format: "der", type: "pkcs8" });
      // Whatever the bytes that precede it in the row.
      const inside = [0, 1, 2].map((skipped) =>
        key.subarray(600 + skipped, 630 + skipped).toString("base64"),
      );
      for (const part of [...inside, key.toString("hex", 600, 620), "secret"])
        expect(row).to.not.include(part);
    });

    it("is replaced, deleted and noted in the audit log", async () => {
      const owner = await newCaller(service);
      const missing = await owner.get(PATH);
      expect(missing.status).to.equal(404);
      expect(await readError(missing)).to.include("has no signing certificate");
      await put(await toPkcs12(signer, intermediate, root), {}, owner);
      const other = issueCertificate({ name: "Other", key: "P-256" });
      await put(await toPkcs12(other), {}, owner);
      const deleted = await owner.delete(PATH);
      expect(await deleted.json()).to.include({ subject: "CN=Other" });
      expect((await owner.delete(PATH)).status).to.equal(404);
      const events = await service.store.read.findBy(AuditEvent, {
        organizationId: owner.organizationId,
      });
      const acts = events
        .filter(({ action }) => action.startsWith("signing_certificate"))
        .map(({ action, details }) => `${action} ${String(details?.["name"])}`);
      expect(acts).to.have.members([
        "signing_certificate.changed CN=Example",
        "signing_certificate.changed CN=Other",
        "signing_certificate.deleted CN=Other",
      ]);
    });

    it("is that of its organization only", async () => {
      await store(await toPkcs12(signer));
      const other = await newCaller(service);
      expect((await other.get(PATH)).status).to.equal(404);
    });

    it("is encrypted again when the service's secret has changed", async () => {
      await store(await toPkcs12(signer));
      const certificates = service.container.resolve(SigningCertificates);
      const done = await certificates.reseal(operator);
      expect(done).to.eql({ count: 0, unreadable: [] });
      const { id } = await findRow();
      await service.store.unitOfWork.run((tx) =>
        tx.update(SigningCertificate, { id }, { privateKey: "other secret" }),
      );
      const unreadable = await certificates.reseal(operator);
      expect(unreadable).to.eql({ count: 0, unreadable: [id] });
    });

    for (const [name, key] of [
      ["openssl-1", "RSA 2048"],
      ["openssl-3", "EC P-256"],
      ["windows", "EC P-256"],
    ] as const)
      it(`is read from the file of a program that encrypts like ${name}`, async () => {
        const stored = await store(await fixture(name), {
          password: "Schlüssel",
        });
        expect(stored).to.include({ key, chainLength: 2 });
        expect(stored.issuer).to.equal("CN=Example Root, O=Example, C=DE");
        expect(await rejection(await fixture(name))).to.include(
          "$.pkcs12: The file cannot be decrypted with this password.",
        );
      });

    for (const key of ["P-256", "P-384", "P-521"] as const)
      it(`may have a key of the elliptic curve ${key}`, async () => {
        const stored = await store(await toPkcs12(issueCertificate({ key })));
        expect(stored.key).to.equal(`EC ${key}`);
      });

    it("is found among others by its key, with the chain in its order", async () => {
      const other = issueCertificate({ name: "Other" });
      const file = await writePkcs12(
        { key: signer.key, certificates: [root, other, intermediate, signer] },
        "secret",
      );
      expect(await store(file)).to.include({
        subject: "CN=Example",
        chainLength: 3,
      });
      const { certificates } = await findRow();
      expect(certificates).to.eql(
        [signer, intermediate, root].map(({ der }) =>
          Buffer.from(der).toString("base64"),
        ),
      );
    });

    it("stays when a bad file is sent", async () => {
      const stored = await store(await toPkcs12(signer));
      await rejection(Buffer.from("bad"));
      expect(await (await caller.get(PATH)).json()).to.eql(stored);
    });

    const bad: Record<string, () => Promise<Uint8Array>> = {
      "a file of another kind": async () => Buffer.from("PK\u0003\u0004"),
      "a PEM file": async () =>
        Buffer.from("-----BEGIN CERTIFICATE-----\nMIIC"),
      "half a file": async () => (await toPkcs12(signer)).subarray(0, 500),
      "a file without a private key": () => write(null, signer),
      "a file without a certificate": () => write(signer.key),
      "a private key of another certificate": () => write(root.key, signer),
      "an expired certificate": () =>
        issued({ validUntil: new Date(Date.now() - DAY / 2) }),
      "a certificate of the future": () =>
        issued({ validFrom: new Date(Date.now() + DAY) }),
      "a short RSA key": () => issued({ key: "rsa-1024" }),
      "another elliptic curve": () => fixture("secp256k1"),
      "a key that many readers do not know": () => issued({ key: "ed25519" }),
      "a certificate not for signatures": () => issued({ keyUsage: 0x20 }),
    };
    for (const [what, create, message] of withRows(
      bad,
      `
      a file of another kind | is not a PKCS#12 file. Send the .p12 or .pfx file
      a PEM file | is a PEM file, not a PKCS#12 file. Convert it: openssl pkcs12 -export
      half a file | is not a PKCS#12 file
      a file without a private key | contains no private key. Export the certificate together with
      a file without a certificate | contains no certificate
      a private key of another certificate | contains a private key that belongs to none of its certificates
      an expired certificate | contains a certificate that expired on 20
      a certificate of the future | contains a certificate that is not valid before 20
      a short RSA key | has an RSA key of 1024 bits, which is not secure. Use one with 2048
      another elliptic curve | has a key of the type secp256k1, which many PDF readers cannot verify
      a key that many readers do not know | has a key of the type ed25519
      a certificate not for signatures | contains a certificate whose key usage does not allow signatures`,
    ))
      it(`is refused for ${what}`, async () => {
        const error = await rejection(await create());
        expect(error).to.include(`$.pkcs12: The file ${message}`);
      });

    it("is refused for a file that is too large", async () => {
      const response = await put(Buffer.alloc(100_001));
      expect(response.status).to.equal(413);
      expect(await readError(response)).to.include("larger than 100000 bytes");
    });

    it("is refused with a timestamp server that may not be called", async () => {
      const file = await toPkcs12(signer);
      const timestampUrl = "http://127.0.0.1:9/";
      expect(await rejection(file, { timestampUrl })).to.match(
        /^\$\.timestampUrl: /,
      );
    });
  });
});

function issued(options: Parameters<typeof issueCertificate>[0]) {
  return toPkcs12(issueCertificate(options));
}
