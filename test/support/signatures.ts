import { expect } from "chai";
import {
  type Certificate,
  ContentInfo,
  SignedData,
  type SignerInfo,
  TSTInfo,
} from "pkijs";

// What a reader finds of the digital signature of a PDF. `npm run test:pdf` has an independent program verify signatures.

export interface PdfSignature {
  /** Whether everything but the signature itself is signed, and as it was when it was signed. */
  isIntact: boolean;
  /** The common names of its certificates, without an order. */
  names: string[];
  /** Object identifiers of the signed attributes. */
  attributes: string[];
  digestAlgorithm: string;
  /** The time of its timestamp; null without one. */
  timestampedAt: Date | null;
  /** How many bytes of the space for it are empty. */
  unusedBytes: number;
}

const TIMESTAMP = "1.2.840.113549.1.9.16.2.14";

/** The only signature of a PDF; null for none. */
export async function readSignature(
  bytes: Uint8Array,
  root: Certificate,
): Promise<PdfSignature | null> {
  const pdf = Buffer.from(bytes);
  const found = [
    ...pdf
      .toString("latin1")
      .matchAll(
        /\/SubFilter\/ETSI\.CAdES\.detached\S*?\/ByteRange\[0 (\d+) (\d+) (\d+) *\]\/Contents<([0-9a-f]+)>/g,
      ),
  ];
  const [signature, ...others] = found;
  if (!signature) return null;
  expect(others, "further signatures").to.eql([]);
  const [start = 0, end = 0, length = 0] = signature.slice(1, 4).map(Number);
  const hex = signature[4] ?? "";
  const isWhole = end - start === hex.length + 2 && end + length === pdf.length;
  const signed = Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]);
  const contents = Buffer.from(hex, "hex");
  const der = contents.subarray(0, 4 + contents.readUInt16BE(2));
  const info = ContentInfo.fromBER(new Uint8Array(der));
  const cms = new SignedData({ schema: info.content });
  const isIntact = await cms
    .verify({
      signer: 0,
      data: new Uint8Array(signed).buffer,
      trustedCerts: [root],
      checkChain: true,
    })
    .catch(() => false);
  const [signer] = cms.signerInfos;
  if (!signer) throw new Error("no signer");
  return {
    isIntact: isIntact && isWhole,
    names: (cms.certificates ?? []).flatMap((one) =>
      "subject" in one
        ? one.subject.typesAndValues.map(({ value }) => value.valueBlock.value)
        : [],
    ),
    attributes: (signer.signedAttrs?.attributes ?? []).map(({ type }) => type),
    digestAlgorithm: signer.digestAlgorithm.algorithmId,
    timestampedAt: readTimestamp(signer),
    unusedBytes: contents.length - der.length,
  };
}

function readTimestamp({ unsignedAttrs }: SignerInfo): Date | null {
  const attribute = unsignedAttrs?.attributes.find(
    ({ type }) => type === TIMESTAMP,
  );
  if (!attribute) return null;
  const token = new ContentInfo({ schema: attribute.values[0] });
  const { eContent } = new SignedData({ schema: token.content })
    .encapContentInfo;
  return TSTInfo.fromBER(eContent?.getValue() ?? new ArrayBuffer()).genTime;
}
