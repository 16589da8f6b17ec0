// The certificate with which an organization signs its PDFs: stored with its private key encrypted, replaced, and used to
// sign. What is signed is the digest of a PDF; how a PDF contains its signature is known to rendering/pdf. Signature
// requests, which people sign on a page, are in signatures/ and have nothing to do with this.
export {
  SigningCertificates,
  signingCertificateSchema,
  type SigningCertificateView,
} from "./signing-certificates.js";
