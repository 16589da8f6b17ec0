import { createHash, randomBytes, sign } from "node:crypto";
import * as asn1 from "asn1js";
import { expect } from "chai";
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from "pkijs";
import { type Issued, issueCertificate } from "../certificates.js";
import {
  FakeRefusal,
  FakeServer,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// A timestamp server (RFC 3161) that can be told to answer wrongly. It answers 400 to what the standard does not have
// (section 2.4.1, and 3.4 for HTTP): another method or content type than a POST of application/timestamp-query, bytes that
// are not DER, another version than 1, and digests that are not those of SHA-256. It insists on `certReq`, without which no
// certificate would be in the answer.

const SHA_256 = "2.16.840.1.101.3.4.2.1";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const REJECTED = 2;

/** What is wrong with its answers. */
export type TsaFault =
  | "nonce"
  | "imprint"
  | "signature"
  | "purpose"
  | "expired"
  | "rejected"
  | "status"
  | "garbage";

export class FakeTsa extends FakeServer {
  fault: TsaFault | null = null;
  /** Certificates that it puts into its answers beside its own. */
  chain: Issued[];
  requests = 0;
  readonly #certificate: Issued;
  readonly #codeSigner: Issued;
  readonly #expired: Issued;
  #port = 0;

  constructor(issuer: Issued) {
    super();
    const shared = { issuer, key: "P-256" } as const;
    this.#certificate = issueCertificate({
      ...shared,
      name: "Example Timestamps",
      purpose: TIME_STAMPING,
    });
    this.#codeSigner = issueCertificate({
      ...shared,
      purpose: "1.3.6.1.5.5.7.3.3",
    });
    this.#expired = issueCertificate({
      ...shared,
      purpose: TIME_STAMPING,
      validFrom: new Date("2020-01-01"),
      validUntil: new Date("2021-01-01"),
    });
    this.chain = [issuer];
  }

  override get url(): string {
    return `${super.url}/tsa`;
  }

  /** At the same port as before. */
  async start(): Promise<void> {
    await this.listen(this.#port);
    this.#port = Number(new URL(this.url).port);
  }

  stop(): Promise<void> {
    return this.close();
  }

  protected respond(request: FakeRequest): FakeReply {
    this.requests += 1;
    try {
      const headers = { "content-type": "application/timestamp-reply" };
      return { headers, ...this.#answer(request) };
    } catch (error) {
      throw new FakeRefusal(400, String(error));
    }
  }

  #answer({ method, headers, bytes: body }: FakeRequest): FakeReply {
    expect(method).to.equal("POST");
    expect(headers["content-type"]).to.equal("application/timestamp-query");
    const request = TimeStampReq.fromBER(new Uint8Array(body));
    // Nothing that is not in DER.
    expect(Buffer.from(request.toSchema().toBER())).to.eql(body);
    expect(request.version).to.equal(1);
    expect(request.certReq).to.equal(true);
    const { hashAlgorithm, hashedMessage } = request.messageImprint;
    expect(hashAlgorithm.algorithmId).to.equal(SHA_256);
    expect(hashedMessage.getValue().byteLength).to.equal(32);
    if (this.fault === "status") return { status: 503, body: null };
    if (this.fault === "garbage") return { body: "<html>Welcome</html>" };
    const answer =
      this.fault === "rejected"
        ? new TimeStampResp({
            status: new PKIStatusInfo({
              status: REJECTED,
              statusStrings: [new asn1.Utf8String({ value: "Quota used up" })],
            }),
          })
        : new TimeStampResp({
            status: new PKIStatusInfo({ status: 0 }),
            timeStampToken: this.#createToken(request),
          });
    return { body: Buffer.from(answer.toSchema().toBER()) };
  }

  #createToken({ nonce, messageImprint }: TimeStampReq): ContentInfo {
    const { fault } = this;
    const { certificate, der, key } =
      fault === "purpose"
        ? this.#codeSigner
        : fault === "expired"
          ? this.#expired
          : this.#certificate;
    const info = new TSTInfo({
      version: 1,
      policy: "1.3.6.1.4.1.99999.1",
      messageImprint:
        fault === "imprint"
          ? new MessageImprint({
              hashAlgorithm: messageImprint.hashAlgorithm,
              hashedMessage: new asn1.OctetString({
                valueHex: randomBytes(32),
              }),
            })
          : messageImprint,
      serialNumber: new asn1.Integer({
        valueHex: Buffer.concat([Buffer.from([1]), randomBytes(8)]),
      }),
      genTime: new Date(),
      ...(nonce && {
        nonce:
          fault === "nonce"
            ? new asn1.Integer({ valueHex: Uint8Array.of(1, 2, 3) })
            : nonce,
      }),
    });
    const content = new Uint8Array(info.toSchema().toBER());
    const reference = new asn1.Sequence({
      value: [
        new asn1.OctetString({
          valueHex: createHash("sha256").update(der).digest(),
        }),
      ],
    });
    const attributes = [
      new Attribute({
        type: "1.2.840.113549.1.9.3",
        values: [new asn1.ObjectIdentifier({ value: TST_INFO })],
      }),
      new Attribute({
        type: "1.2.840.113549.1.9.4",
        values: [
          new asn1.OctetString({
            valueHex: createHash("sha256").update(content).digest(),
          }),
        ],
      }),
      new Attribute({
        type: "1.2.840.113549.1.9.16.2.47",
        values: [
          new asn1.Sequence({
            value: [new asn1.Sequence({ value: [reference] })],
          }),
        ],
      }),
    ].toSorted((one, other) =>
      Buffer.compare(
        Buffer.from(one.toSchema().toBER()),
        Buffer.from(other.toSchema().toBER()),
      ),
    );
    const signed = new asn1.Set({
      value: attributes.map((one) => one.toSchema()),
    });
    const signature = sign("sha256", new Uint8Array(signed.toBER()), key);
    if (fault === "signature") signature[signature.length - 1]! ^= 1;
    const digest = new AlgorithmIdentifier({ algorithmId: SHA_256 });
    const signedData = new SignedData({
      version: 3,
      digestAlgorithms: [digest],
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: TST_INFO,
        eContent: new asn1.OctetString({ valueHex: content }),
      }),
      certificates: [certificate, ...this.chain.map((one) => one.certificate)],
      signerInfos: [
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({
            issuer: certificate.issuer,
            serialNumber: certificate.serialNumber,
          }),
          digestAlgorithm: digest,
          signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
          signatureAlgorithm: new AlgorithmIdentifier({
            algorithmId: "1.2.840.10045.4.3.2",
          }),
          signature: new asn1.OctetString({ valueHex: signature }),
        }),
      ],
    });
    return new ContentInfo({
      contentType: "1.2.840.113549.1.7.2",
      content: signedData.toSchema(true),
    });
  }
}
